import { createInterface } from "node:readline";
import { ServeOptions } from "../shared/contract/joining.ts";
import type { AgentHost } from "./host/connection/agent-host.ts";

/** The argument after which a host without a parent has its options, as JSON. */
const SERVE = "--serve";

/** The options of a host that is started without a parent; undefined for one with a parent. @throws Error for other JSON. */
export function optionsToServe(argv: readonly string[]): ServeOptions | undefined {
  const at = argv.indexOf(SERVE);
  return at === -1 ? undefined : ServeOptions.parse(JSON.parse(argv[at + 1] ?? "null"));
}

/**
 * Serves clients on a socket until a client ends this process, or it is idle. It says on the standard output, in one line of
 * JSON, whether it listens (PROTOCOL.md, "A host without a parent").
 */
export async function serve(
  host: AgentHost,
  { hasStore = false, hasLink = false, ...options }: ServeOptions,
): Promise<void> {
  const exit = (): never => process.exit(0);
  const { drainSeconds = 0 } = options;
  let isFinishing = false;
  const finish = (): void => {
    if (isFinishing) return;
    isFinishing = true;
    void host.finish().finally(exit);
  };
  const end = (): void => {
    // A second one does not wait for the runs.
    process.once("SIGTERM", finish).once("SIGINT", finish);
    void host.drain(drainSeconds * 1000).then(finish);
  };
  // No one reads the standard output any more once the line was read.
  process.stdout.on("error", () => undefined);
  process.once("SIGTERM", end).once("SIGINT", end);
  if (options.foreground) process.stdin.once("close", finish).on("error", () => undefined);
  const lines = hasStore || hasLink ? await firstLines(Number(hasStore) + Number(hasLink)) : [];
  const store = hasStore ? { store: lines.shift() } : {};
  const link = hasLink ? { link: lines.shift() } : {};
  // What is not read never ends.
  if (options.foreground) process.stdin.resume();
  else if (hasStore || hasLink) process.stdin.destroy();
  const started = await host.serve({ ...options, ...store, ...link }, exit);
  process.stdout.write(`${JSON.stringify(started)}\n`, () => {
    if (!started.listening) exit();
  });
}

/** The first lines of the standard input. */
async function firstLines(count: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: process.stdin })) if (lines.push(line) === count) break;
  return lines;
}
