import { startSharedBrowser } from "./browser.ts";
import { startSharedServer } from "./editor-server.ts";

/**
 * Starts what the editor tests share: one browser, and one VS Code with the packaged extension. @returns a function that
 * stops both.
 */
export async function startServices(): Promise<() => Promise<void>> {
  const browser = await startSharedBrowser();
  try {
    const server = await startSharedServer();
    return async () => {
      await browser.close();
      await server.dispose();
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
