import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

/**
 * Loaded into a host before its own script: on SIGUSR2 it collects garbage and writes a line to stderr, with how many bytes
 * the heap and its buffers then have.
 */
if (isMainThread) {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  process.on("SIGUSR2", () => {
    if (typeof collect === "function") collect();
    const { heapUsed, external } = process.memoryUsage();
    process.stderr.write(`live bytes: ${heapUsed + external}\n`);
  });
}
