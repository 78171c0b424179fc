import { existsSync } from "node:fs";
import { join } from "node:path";
import { runNode, runProcess, runTool } from "../run-process.ts";
import { cacheFolder } from "./cache-folder.ts";
import { findOnPath, isProgram } from "./find-program.ts";
import { withProgress } from "./progress.ts";

/** Where browsers that Playwright supports are installed when they are not on PATH. */
const knownPlaces: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
  win32: [process.env["PROGRAMFILES"], process.env["PROGRAMFILES(X86)"], process.env["LOCALAPPDATA"]].flatMap((base) =>
    base === undefined
      ? []
      : [join(base, "Google/Chrome/Application/chrome.exe"), join(base, "Microsoft/Edge/Application/msedge.exe")],
  ),
};

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];

/**
 * A Chromium for the editor and page tests: an installed one, else Debian's package (installed when running as root), else
 * Playwright's download into the user's cache.
 * @returns the path of a program that has reported its version.
 * @throws one sentence that says what to install, with the failure of each attempt.
 */
export async function chromium(): Promise<string> {
  const failures: string[] = [];
  for (const way of [foundChromium, debianChromium, playwrightChromium]) {
    try {
      const path = await way();
      if (path !== undefined) return path;
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(["No Chromium could be found or installed; put one on PATH and try again.", ...failures].join("\n"));
}

async function foundChromium(): Promise<string | undefined> {
  const path = findOnPath(names) ?? knownPlaces[process.platform]?.find(isProgram);
  return path === undefined ? undefined : working(path);
}

async function debianChromium(): Promise<string | undefined> {
  const aptGet = existsSync("/etc/debian_version") ? findOnPath(["apt-get"]) : undefined;
  if (aptGet === undefined || process.getuid?.() !== 0) return undefined;
  const options = {
    env: { DEBIAN_FRONTEND: "noninteractive" },
    // apt-get waits for another apt-get, such as that of another clone's tests, instead of failing.
    timeout: 10 * 60_000,
  };
  await withProgress("Installing Chromium with apt-get", async () => {
    await runProcess(aptGet, ["update"], options);
    const quietly = ["-y", "-qq", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"];
    // Chromium comes without fonts, and a page without a font shows boxes.
    await runProcess(aptGet, ["install", ...quietly, "chromium", "fonts-dejavu-core"], options);
  });
  return foundChromium();
}

async function playwrightChromium(): Promise<string> {
  const env = { PLAYWRIGHT_BROWSERS_PATH: cacheFolder("playwright") };
  const path = (
    await runNode(["-p", "require('playwright-core').chromium.executablePath()"], { env: { ...env, NODE_OPTIONS: "" } })
  ).trim();
  if (!isProgram(path)) {
    await withProgress("Downloading Playwright's Chromium", () =>
      runTool("playwright-core", ["install", "chromium"], { env, timeout: 10 * 60_000 }),
    );
  }
  return working(path);
}

/** @throws when the program cannot report its version: a stub, a snap that is not installed, a missing library. */
async function working(path: string): Promise<string> {
  // On Windows a browser opens a window instead of reporting its version.
  if (process.platform !== "win32") await runProcess(path, ["--version"], { timeout: 120_000 });
  return path;
}
