import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { HostEndedError } from "./host-errors.ts";
import type { HostLink } from "./host-link.ts";
import { hostEnvironment } from "./keys.ts";
import { OWN_USER } from "./own-user.ts";

/** How much of what a host wrote before it died is shown. */
const MAX_LAST_WORDS = 2_000;

/** The path of the host's program. @throws HostEndedError when it is missing. */
export function hostProgram(): string {
  const server = join(import.meta.dirname, "server.js");
  if (!existsSync(server)) throw new HostEndedError(`${server} is missing; build Gavel with "npm run build".`);
  return server;
}

/** Starts a host, which ends with this process. @throws HostEndedError when its program is missing. */
export function startOwnHost(): HostLink {
  const child = spawn(process.execPath, [hostProgram(), "--stdio"], {
    stdio: ["pipe", "pipe", "pipe"],
    env: hostEnvironment(process.env),
    // Ctrl+C in a terminal goes to this process alone, which interrupts the team.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  const { stdin, stdout, stderr } = child;
  // A process that could not be started never exits.
  const ended = Promise.withResolvers<void>();
  child.once("exit", () => ended.resolve());
  child.once("error", () => ended.resolve());
  let lastWords = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    lastWords = (lastWords + text).slice(-MAX_LAST_WORDS);
  });
  return {
    input: stdout,
    output: stdin,
    ended: ended.promise,
    lastWords: () => lastWords.trim(),
    isJoined: false,
    user: OWN_USER,
    end: (how) => child.kill(how),
  };
}
