import { Worker } from "node:worker_threads";
import { messageOf } from "../../../../shared/contract/errors.ts";
import type { Outcome, Write, Writer } from "../write.ts";
import type { FromWorker, ToWorker } from "./worker-messages.ts";

/** How long the end of the host waits for the last writes, in milliseconds. */
const CLOSE_TIMEOUT = 2_000;

/** What the thread runs, and what it starts with. */
export interface WriterThread {
  readonly script: URL;
  readonly data: unknown;
}

export interface WriterListeners {
  /** Whether this host reads the store by now. */
  readonly isRead?: () => boolean;
  /** Called when a thread has ended unasked: what it had claimed for this host is no longer. */
  readonly ended?: () => void;
  /** Called when the lease is renewed, or with why it cannot be relied on. */
  readonly lease?: (failure: string | undefined) => void;
}

/** Writes a store in a thread of its own. A thread that dies is replaced with the next write. */
export class WorkerWriter implements Writer {
  readonly #thread: WriterThread;
  readonly #isRead: () => boolean;
  readonly #ended: () => void;
  readonly #lease: (failure: string | undefined) => void;
  #worker: Worker | undefined;
  /** Answer the batch that was sent last. */
  #answer: ((outcomes: readonly Outcome[]) => void) | undefined;
  #fail: ((outcome: Outcome) => void) | undefined;

  constructor(
    thread: WriterThread,
    { isRead = () => false, ended = () => {}, lease = () => {} }: WriterListeners = {},
  ) {
    this.#thread = thread;
    this.#isRead = isRead;
    this.#ended = ended;
    this.#lease = lease;
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
    const { script, data } = this.#thread;
    const worker = new Worker(script, { workerData: data });
    worker.on("message", (message: FromWorker) => {
      if (message.kind === "lease") return this.#lease(message.failure);
      // The store keeps the process alive only while it writes.
      worker.unref();
      this.#answer?.(message.outcomes);
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
