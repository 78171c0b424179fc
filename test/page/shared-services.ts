import { startSharedBrowser } from "../editor/harness/browser.ts";
import { startSharedPage } from "./page-server.ts";

/** Starts what all page tests share: one browser, and one build of the page. @returns a function that
 * stops both. */
export async function startServices(): Promise<() => Promise<void>> {
  const [browser, page] = await Promise.all([startSharedBrowser(), startSharedPage()]);
  return async () => {
    page.close();
    await browser.close();
  };
}
