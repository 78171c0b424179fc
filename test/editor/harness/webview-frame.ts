import type { Frame, Page } from "playwright-core";
import { until } from "./until.ts";

/**
 * The page inside a webview of an extension. A webview is two frames: the outer one belongs to VS Code, the inner one
 * holds the page and is replaced when the page reloads, so call this again after a reload.
 * @param isWanted tells the page from other webviews of the same extension.
 */
export function webviewFrame(
  page: Page,
  extensionId: string,
  isWanted: (frame: Frame) => Promise<boolean> = async () => true,
): Promise<Frame> {
  return until(`a webview of ${extensionId} has loaded`, async () => {
    for (const frame of page.frames()) {
      const outer = frame.parentFrame();
      if (frame.isDetached() || !outer?.url().includes(`extensionId=${extensionId}&`)) continue;
      if ((await isActive(frame)) && (await isWanted(frame))) return frame;
    }
    return undefined;
  });
}

/** While a page is loaded, VS Code calls its frame pending and keeps the one before it; only the element's id is renamed. */
async function isActive(frame: Frame): Promise<boolean> {
  const element = await frame.frameElement();
  return (
    (await element.getAttribute("id")) === "active-frame" &&
    (await frame.evaluate(() => document.readyState !== "loading" && document.body.childElementCount > 0))
  );
}
