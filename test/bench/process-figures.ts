import { on } from "node:events";
import { readFile } from "node:fs/promises";
import type { HostClient } from "../host-client.ts";

/** Linux counts in hundredths of a second, whatever the machine. */
const MS_PER_TICK = 10;

/** How long a process has worked on all processors together, in milliseconds, as Linux counts it. */
export async function workedMs(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name of the program, which may have spaces, ends with the last bracket.
  const [, user = "", system = ""] = /^(?:\S+ ){11}(\d+) (\d+)/.exec(stat.slice(stat.lastIndexOf(")") + 2)) ?? [];
  return (Number(user) + Number(system)) * MS_PER_TICK;
}

/** The most memory that a process has had. */
export const peakBytes = (pid: number | undefined): Promise<number> => bytes(pid, "VmHWM");

/** The memory that a process has. */
export const residentBytes = (pid: number | undefined): Promise<number> => bytes(pid, "VmRSS");

async function bytes(pid: number | undefined, figure: "VmHWM" | "VmRSS"): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${figure}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
}

/** A module to be loaded into a host whose {@link liveBytes} are measured, and whose stderr is a pipe then. */
export const LIVE_MEMORY = new URL("./live-memory.ts", import.meta.url).href;

/** What a host's main thread has on its heap and in its buffers, after garbage collection. */
export async function liveBytes({ process: host }: HostClient): Promise<number> {
  const { stderr } = host;
  if (stderr === null) throw new Error("The host's stderr is no pipe.");
  host.kill("SIGUSR2");
  let text = "";
  for await (const part of on(stderr.setEncoding("utf8"), "data", { close: ["close"] })) {
    text += String(part);
    const [, count] = /live bytes: (\d+)\n/.exec(text) ?? [];
    if (count !== undefined) return Number(count);
  }
  throw new Error("The host has ended.");
}
