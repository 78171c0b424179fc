import { Worker } from "node:worker_threads";

/** What the thread that reads a page starts with. */
export interface HtmlToRead {
  readonly html: string;
  /** Of the page: relative addresses in it are made absolute. */
  readonly address: string;
}

export type ReadHtml = { readonly markdown: string } | { readonly failure: "tooDeep" };

/** How long a page may take to be read, in milliseconds. */
const READING_MS = 10_000;

/** The memory of the thread. A page of the largest size that is read needs less. */
const LIMITS = { maxOldGenerationSizeMb: 512 } as const;

/** The bundle is beside the bundled host; in development the source itself runs. */
const SCRIPT = new URL(import.meta.url.endsWith(".ts") ? "./html-worker.ts" : "./html-worker.js", import.meta.url);

/**
 * A page as Markdown, read in a thread of its own: however the page is made, the host does not wait for it.
 * @throws Error in a sentence for a page that takes too long or too much memory; what `signal` was aborted with.
 */
export async function readHtml(page: HtmlToRead, signal: AbortSignal, limitMs = READING_MS): Promise<string> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const worker = new Worker(SCRIPT, { workerData: page, resourceLimits: LIMITS, env: {}, execArgv: [] });
  // A page alone does not keep the process alive.
  worker.unref();
  const tooMuch = (): void => reject(new Error(`The page ${page.address} is too complex to be read.`));
  const timer = setTimeout(tooMuch, limitMs);
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  worker.on("message", (read: ReadHtml) => ("markdown" in read ? resolve(read.markdown) : tooMuch()));
  worker.on("error", tooMuch);
  worker.on("exit", tooMuch);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    void worker.terminate();
  }
}
