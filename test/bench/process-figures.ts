import { readFile } from "node:fs/promises";

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
