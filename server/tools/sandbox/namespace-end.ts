import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";

/** Between two looks at a process, in milliseconds. */
const LOOK_AGAIN_MS = 5;

/**
 * Reads what bubblewrap reports on its `--info-fd`: the first process of the sandbox, by its id outside.
 * @returns a function that resolves once no process of the sandbox runs. Call it when bubblewrap has exited.
 */
export function namespaceEnd(info: Readable): () => Promise<void> {
  let text = "";
  info.on("data", (bytes: Buffer) => {
    text += bytes.toString();
  });
  return async () => {
    const pid = /"child-pid":\s*(\d+)/.exec(text)?.[1];
    while (pid !== undefined && (await isRunning(pid))) await setTimeout(LOOK_AGAIN_MS);
  };
}

/** The first process of a PID namespace is gone, or a zombie, only after all others of it are dead. */
async function isRunning(pid: string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return stat !== undefined && !/\) [ZX] [^)]*$/.test(stat);
}
