import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import * as z from "zod";
import type { ServeOptions } from "../shared/contract/joining.ts";

/** What a host without a parent says, once, on its standard output. */
const Started = z.object({
  listening: z.boolean(),
  port: z.number().int().optional(),
  metricsPort: z.number().int().optional(),
});

/** How much is shown of what a host wrote before it ended. */
const MAX_LAST_WORDS = 2_000;

export interface HostToServe {
  /** The path of dist/server.js. */
  readonly serverModule: string;
  readonly options: ServeOptions;
  /** The address of a store on a server, with its password. */
  readonly store?: string | undefined;
  /** The address of a link, with its password. */
  readonly link?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Starts a host that goes on when this process ends, and waits until it listens. What it writes is in `host.log` of the
 * storage folder.
 * @returns `listening` is false if another host listens for that folder already: then that one can be joined. `port` is
 * where users of other computers can join, if `options.network` says so.
 * @throws Error when it cannot be started; the message is a sentence with what it wrote.
 */
export async function serveHost({
  serverModule,
  options,
  store,
  link,
  env,
}: HostToServe): Promise<z.infer<typeof Started>> {
  const { storagePath } = options;
  mkdirSync(storagePath, { recursive: true, mode: 0o700 });
  const logPath = join(storagePath, "host.log");
  const given = { hasStore: store !== undefined, hasLink: link !== undefined };
  const args = [serverModule, "--serve", JSON.stringify({ ...options, ...given })];
  const log = openSync(logPath, "a", 0o600);
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", log],
    // Where this is a process of Electron, it has to be told to be Node.
    env: { ...env, ELECTRON_RUN_AS_NODE: "1" },
    // A window's own folder may be removed meanwhile.
    cwd: storagePath,
    detached: true,
    windowsHide: true,
  });
  closeSync(log);
  const { stdin, stdout } = child;
  // A host that ends at once says why in its log.
  stdin?.on("error", () => {}).end([store, link].flatMap((line) => (line === undefined ? [] : `${line}\n`)).join(""));
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
