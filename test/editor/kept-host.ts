import type { TestContext } from "node:test";
import { readHostPlace } from "../../socket/place-file.ts";

/** Ends the host that runs for a storage folder now, once the windows that would start another have closed. */
export function endHostAfter(context: TestContext, storagePath: string): void {
  const pid = readHostPlace(storagePath)?.pid;
  if (pid === undefined) return;
  context.after(() => {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended with its window.
    }
  });
}
