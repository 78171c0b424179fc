import { type Browser, type BrowserServer, chromium as playwright } from "playwright-core";
import { chromium } from "../../../scripts/editor/chromium.ts";

/** Names the browser that the test command has started for all test files, by its WebSocket address. */
const SHARED = "GAVEL_TEST_BROWSER";

/** The shared browser of the test command, or a new one. Closing it leaves the shared one open. */
export async function openBrowser(): Promise<Browser> {
  const shared = process.env[SHARED];
  return shared === undefined ? playwright.launch(await launchOptions()) : playwright.connect(shared);
}

/** Starts one browser for all test files that run until it is closed. */
export async function startSharedBrowser(): Promise<BrowserServer> {
  const server = await playwright.launchServer(await launchOptions());
  process.env[SHARED] = server.wsEndpoint();
  return server;
}

/** A Chromium without a window; GAVEL_HEADED=1 shows it. */
async function launchOptions() {
  return {
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
  };
}
