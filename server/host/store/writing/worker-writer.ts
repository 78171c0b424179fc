import { Worker } from "node:worker_threads";
import { messageOf } from "../../../../shared/contract/errors.ts";
import type { Outcome, Write, Writer } from "../write.ts";
import type { FromWorker, ToWorker, WorkerStart } from "./worker-messages.ts";

/** How long the end of the host waits for the last writes, in milliseconds. */
const CLOSE_TIMEOUT = 2_000;

/** The bundle is beside the bundled host; in development the source itself runs. */
const SCRIPT = new URL(import.meta.url.endsWith(".ts") ? "./store-worker.ts" : "./store-worker.js", import.meta.url);

/** Writes a store in a folder, in a thread of its own. A thread that dies is replaced with the next write. */
export class WorkerWriter implements Writer {
  readonly #folder: string;
  readonly #isRead: () => boolean;
  readonly #ended: () => void;
  #worker: Worker | undefined;
  /** Answer the batch that was sent last. */
  #answer: ((outcomes: readonly Outcome[]) => void) | undefined;
  #fail: ((outcome: Outcome) => void) | undefined;

  /**
   * `isRead`: whether this host reads the store by now. `ended` is called when a thread has ended unasked: what it had
   * claimed for this host is no longer.
   */
  constructor(folder: string, isRead: () => boolean = () => false, ended: () => void = () => {}) {
    this.#folder = folder;
    this.#isRead = isRead;
    this.#ended = ended;
  }

  execute(batch: readonly Write[]): Promise<readonly Outcome[]> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#fail = (outcome) => resolve(batch.map(() => outcome));
      try {
        this.#worker ??= this.#start();
        this.#worker.ref();
        this.#post(this.#worker, { kind: "execute", batch, isRead: this.#isRead() });
      } catch (error) {
        this.#fail(stopped(`could not start (${messageOf(error)})`));
      }
    });
  }

  /** Waits at most two seconds. */
  finish(batch: readonly Write[]): void {
    const worker = this.#worker ?? (batch.length === 0 ? undefined : this.#start());
    if (worker === undefined) return;
    const closed = new Int32Array(new SharedArrayBuffer(4));
    this.#post(worker, { kind: "close", batch, isRead: this.#isRead(), closed });
    Atomics.wait(closed, 0, 0, CLOSE_TIMEOUT);
    this.#worker = undefined;
    this.#fail?.(stopped("stopped"));
    void worker.terminate();
  }

  #post(worker: Worker, message: ToWorker): void {
    worker.postMessage(message);
  }

  #start(): Worker {
    const start: WorkerStart = { folder: this.#folder };
    const worker = new Worker(SCRIPT, { workerData: start });
    worker.on("message", (outcomes: FromWorker) => {
      // The store keeps the process alive only while it writes.
      worker.unref();
      this.#answer?.(outcomes);
    });
    worker.on("error", (error) => this.#stopped(worker, `failed (${messageOf(error)})`));
    worker.on("exit", () => this.#stopped(worker, "stopped"));
    return worker;
  }

  #stopped(worker: Worker, how: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#ended();
    this.#fail?.(stopped(how));
  }
}

const stopped = (how: string): Outcome => ({
  failure: { message: `The thread that writes the store ${how}; try again.`, conflict: false },
});
