/** One unit of work: synchronous, or asynchronous if it returns a promise. It must not throw. */
export type MailboxJob = () => undefined | Promise<void>;

/**
 * Runs jobs in the order in which they were posted: one at a time if serial, otherwise concurrently. A synchronous job that
 * is first in the queue has run when `post` returns. While the mailbox is held, jobs wait.
 */
export class Mailbox {
  readonly #waiting: MailboxJob[] = [];
  readonly #serial: boolean;
  readonly #running = new Set<object>();
  #held: boolean;
  #draining = false;
  #whenIdle: (() => void)[] = [];

  constructor(options: { readonly serial: boolean; readonly held: boolean }) {
    this.#serial = options.serial;
    this.#held = options.held;
  }

  /** Queues a job. The returned function lets the queue continue without waiting for the job, if the job is running. */
  post(job: MailboxJob): () => void {
    const token = {};
    this.#waiting.push(() => {
      const end = job();
      if (end === undefined) return undefined;
      this.#running.add(token);
      return end.then(() => this.#finish(token));
    });
    this.#drain();
    return () => this.#finish(token);
  }

  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#drain();
  }

  /** Resolves when no job is running. */
  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  #finish(token: object): void {
    if (!this.#running.delete(token)) return;
    if (this.#running.size === 0) {
      for (const resolve of this.#whenIdle.splice(0)) resolve();
    }
    this.#drain();
  }

  #drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    while (!this.#held && !(this.#serial && this.#running.size > 0)) {
      const job = this.#waiting.shift();
      if (job === undefined) break;
      void job();
    }
    this.#draining = false;
  }
}
