import { Worker } from "node:worker_threads";
import * as z from "zod";

/** How long one file may take, in milliseconds. Only an expression with catastrophic backtracking takes longer. */
export const FILE_LIMIT_MS = 5000;

const Match = z.object({ line: z.number(), text: z.string() });
const Matches = z.array(Match);
/** A matching line: its number from 1, and its text, cut around the match. */
type Match = z.infer<typeof Match>;

interface FindOptions {
  readonly limit: number;
  readonly width: number;
  readonly signal: AbortSignal;
}

/**
 * The worker's code. It is a string because the host is one bundled file, from which a worker cannot load a module.
 * Lines are matched one at a time; a long line is cut to the part around its match.
 */
const WORKER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const pattern = new RegExp(workerData.source, workerData.flags);
  parentPort.on("message", ({ text, limit, width }) => {
    const rows = [];
    const lines = text.split("\\n");
    for (let at = 0; at < lines.length && rows.length < limit; at++) {
      const line = lines[at];
      const found = pattern.exec(line);
      if (found === null || (line === "" && at === lines.length - 1)) continue;
      const start = line.length <= width ? 0 : Math.max(0, found.index - width / 4);
      const shown = line.slice(start, start + width).trim();
      rows.push({
        line: at + 1,
        text: (start > 0 ? "…" : "") + shown + (start + width < line.length ? "…" : ""),
      });
    }
    parentPort.postMessage(rows);
  });
`;

/**
 * Matches a regular expression against the lines of texts in a worker thread: an expression that backtracks forever
 * blocks its thread, and only a worker can be terminated. Dispose it when done.
 */
export class LineMatcher {
  readonly #worker: Worker;

  constructor(pattern: RegExp) {
    const workerData = { source: pattern.source, flags: pattern.flags };
    this.#worker = new Worker(WORKER, { eval: true, workerData, env: {}, execArgv: [], name: "gavel-search" });
    // Errors reach the caller of `find`; without a listener, an early one would end the host.
    this.#worker.on("error", () => undefined);
  }

  /**
   * The first `limit` lines of `text` that match, each cut to `width` characters.
   * @throws Error when a text takes longer than {@link FILE_LIMIT_MS} or the signal aborts. The matcher is then disposed.
   */
  async find(text: string, options: FindOptions): Promise<readonly Match[]> {
    try {
      return Matches.parse(await this.#answer(text, options));
    } catch (error) {
      await this.dispose();
      throw error;
    }
  }

  async #answer(text: string, { limit, width, signal }: FindOptions): Promise<unknown> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const onAbort = () => reject(new Error("it was interrupted"));
    const timer = setTimeout(
      () => reject(new Error("the regular expression takes too long; simplify it")),
      FILE_LIMIT_MS,
    );
    this.#worker.once("message", resolve).once("error", reject).once("exit", onAbort);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      this.#worker.postMessage({ text, limit, width });
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      this.#worker.off("message", resolve).off("error", reject).off("exit", onAbort);
    }
  }

  async dispose(): Promise<void> {
    await this.#worker.terminate();
  }
}
