import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { type HostToServe, Started, startOf } from "./host-to-serve.ts";

/** How much is shown of what a host wrote before it ended. */
const MAX_LAST_WORDS = 2_000;

/**
 * Starts a host that goes on when this process ends, and waits until it listens. What it writes is in `host.log` of the
 * storage folder.
 * @returns `listening` is false if another host listens for that folder already: then that one can be joined. `port` is
 * where users of other computers can join, if `options.network` says so.
 * @throws Error when it cannot be started; the message is a sentence with what it wrote.
 */
export async function serveHost(host: HostToServe): Promise<Started> {
  const { storagePath } = host.options;
  mkdirSync(storagePath, { recursive: true, mode: 0o700 });
  const logPath = join(storagePath, "host.log");
  const { args, input, env } = startOf(host);
  const log = openSync(logPath, "a", 0o600);
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", log],
    env,
    // A window's own folder may be removed meanwhile.
    cwd: storagePath,
    detached: true,
    windowsHide: true,
  });
  closeSync(log);
  const { stdin, stdout } = child;
  // A host that ends at once says why in its log.
  stdin?.on("error", () => {}).end(input);
  try {
    const failed = once(child, "error").then(([error]) => Promise.reject(error));
    const line = await Promise.race([stdout === null ? undefined : firstLine(stdout), failed]);
    if (line !== undefined) return Started.parse(JSON.parse(line));
    throw new Error(`The agent host did not start: ${readFileSync(logPath, "utf8").slice(-MAX_LAST_WORDS).trim()}`);
  } finally {
    stdout?.destroy();
    child.unref();
  }
}

/** Undefined if it ends before. */
async function firstLine(input: Readable): Promise<string | undefined> {
  for await (const line of createInterface({ input })) return line;
  return undefined;
}
