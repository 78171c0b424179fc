import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";

export interface ProcessOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `inherit` shows the child's output as it comes; `quiet` keeps it for the error message. */
  readonly output?: "inherit" | "quiet";
  /** Ends the child after so many milliseconds. */
  readonly timeout?: number;
  /** Runs it as this user and group of the system. */
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * Runs a program without a shell and waits until it ends.
 * @returns what it wrote to stdout (empty with `inherit`).
 * @throws one sentence with the command and the last lines of its output when it cannot start or its exit code is not 0.
 */
export function runProcess(command: string, args: readonly string[], options: ProcessOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: options.output === "inherit" ? "inherit" : ["ignore", "pipe", "pipe"],
      ...(options.uid === undefined ? {} : { uid: options.uid }),
      ...(options.gid === undefined ? {} : { gid: options.gid }),
      ...(options.timeout === undefined ? {} : { timeout: options.timeout, killSignal: "SIGKILL" as const }),
    });
    let stdout = "";
    let tail = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      tail = (tail + text).slice(-4000);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      tail = (tail + text).slice(-4000);
    });
    const name = [command, ...args].join(" ");
    child.on("error", (error) => reject(new Error(`"${name}" did not start: ${error.message}`)));
    child.on("close", (code, signal) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`"${name}" ended with ${code ?? signal}.${tail.trim() === "" ? "" : `\n${tail.trim()}`}`));
    });
  });
}

/** Runs a script of this project, or of one of its packages, on the current Node. */
export function runNode(args: readonly string[], options?: ProcessOptions): Promise<string> {
  return runProcess(process.execPath, args, options);
}

/** Runs a package's command-line tool, found by its `bin` entry, so that no shell or .cmd shim is needed. */
export function runTool(packageName: string, args: readonly string[], options?: ProcessOptions): Promise<string> {
  return runNode([toolPath(packageName), ...args], options);
}

function toolPath(packageName: string): string {
  const folder = join(root, "node_modules", packageName);
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const bin = typeof manifest === "object" && manifest !== null && "bin" in manifest ? manifest.bin : undefined;
  const first: unknown = typeof bin === "object" && bin !== null ? Object.values(bin)[0] : bin;
  if (typeof first !== "string") throw new Error(`The package ${packageName} has no command; run npm ci again.`);
  return join(folder, first);
}

/** Runs npm: the one that started this process, else the one on PATH. */
export function runNpm(args: readonly string[], options?: ProcessOptions): Promise<string> {
  const npm = process.env["npm_execpath"];
  if (npm?.endsWith("npm-cli.js") && existsSync(npm)) return runNode([npm, ...args], options);
  return runProcess(process.platform === "win32" ? "npm.cmd" : "npm", args, options);
}
