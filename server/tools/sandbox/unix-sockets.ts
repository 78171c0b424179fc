import { readFile } from "node:fs/promises";

/**
 * The paths at which programs outside the sandbox listen (Linux), such as those of agents for keys and of containers. A
 * network namespace does not keep a command from them.
 */
export async function unixSockets(): Promise<readonly string[]> {
  const table = await readFile("/proc/net/unix", "utf8").catch(() => "");
  // A line is `00000000f779e20b: 00000002 00000000 00010000 0001 01 1451 /path`; only sockets with a name have a path.
  return [...new Set(table.split("\n").flatMap((line) => /^(?:\S+ +){7}(\/.*)$/.exec(line)?.[1] ?? []))];
}
