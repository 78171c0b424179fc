import { type Browser, chromium as playwright } from "playwright-core";
import { chromium } from "../../../scripts/editor/chromium.ts";

/** A Chromium without a window; GAVEL_HEADED=1 shows it. */
export async function launchBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium(),
    headless: process.env["GAVEL_HEADED"] !== "1",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
