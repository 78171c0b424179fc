import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { downloadAndUnzipVSCode, ProgressReportStage } from "@vscode/test-electron";
import { root } from "../root.ts";
import { runProcess } from "../run-process.ts";
import { cacheFolder } from "./cache-folder.ts";
import { findOnPath } from "./find-program.ts";
import { withProgress } from "./progress.ts";

/** A program to start, and the arguments that come before all others. */
export type Program = readonly [command: string, ...args: string[]];

/** How long the download host may be silent before it counts as unreachable, in milliseconds. */
const downloadPatienceMs = 10_000;

/** Whether a window can be opened on this machine. */
export function hasDisplay(): boolean {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return process.platform !== "linux" || Boolean(DISPLAY || WAYLAND_DISPLAY);
}

function needDisplay(): void {
  if (!hasDisplay()) throw new Error("there is no display");
}

/**
 * The desktop VS Code on PATH.
 * @throws a clause that says why there is none to use.
 */
export async function vscodeOnPath(): Promise<Program> {
  needDisplay();
  if (process.env["VSCODE_IPC_HOOK_CLI"]) {
    throw new Error("this terminal belongs to a remote VS Code, whose code opens no development window");
  }
  const found = findOnPath(["code"]);
  if (found === undefined) throw new Error("the command `code` is not on PATH");
  // On Windows it is a .cmd, which only the command processor runs.
  const program: Program = process.platform === "win32" ? ["cmd.exe", "/d", "/c", "code"] : [found];
  const [command, ...args] = program;
  const version = (await runProcess(command, [...args, "--version", ...rootArguments()], { timeout: 15_000 })).split(
    "\n",
  )[0];
  if (!isAtLeast(version ?? "", requiredVersion())) {
    throw new Error(`${found} is version ${version}, and the extension needs ${requiredVersion()}`);
  }
  return program;
}

/** The arguments that Electron requires to run as root. */
export function rootArguments(): string[] {
  return process.getuid?.() === 0 ? ["--no-sandbox", "--user-data-dir", desktopUserData()] : [];
}

/** The profile of the windows that `npm start` opens, separate from the developer's own settings and extensions. */
export function desktopUserData(): string {
  return cacheFolder("desktop-profile", "data");
}

/**
 * The desktop VS Code that test-electron downloads into the user's cache.
 * @throws a clause that says why there is none to use; within seconds when the download host cannot be reached.
 */
export async function downloadedVscode(): Promise<Program> {
  needDisplay();
  const cachePath = cacheFolder("vscode-desktop");
  await mkdir(cachePath, { recursive: true });
  try {
    const path = await withProgress("Looking for VS Code to download", () =>
      downloadAndUnzipVSCode({
        version: "stable",
        cachePath,
        timeout: downloadPatienceMs,
        reporter: {
          report: ({ stage }) => {
            if (stage === ProgressReportStage.Retrying) console.log("The download was interrupted; trying again…");
          },
          error: () => {},
        },
      }),
    );
    return [path];
  } catch (error) {
    throw new Error(`it cannot be downloaded (${error instanceof Error ? error.message : String(error)})`);
  }
}

/** The minimum version in the manifest's `engines.vscode`. */
function requiredVersion(): string {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { engines: { vscode: string } };
  return manifest.engines.vscode.replace("^", "");
}

function isAtLeast(version: string, least: string): boolean {
  const numbers = (text: string): number[] => text.split(".").map((part) => Number.parseInt(part, 10));
  const [major = 0, minor = 0] = numbers(version);
  const [leastMajor = 0, leastMinor = 0] = numbers(least);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
