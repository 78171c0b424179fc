/** One thing to do. It may end at once, or later by its promise. It does not throw. */
export type MailboxJob = () => undefined | Promise<void>;

/**
 * Does jobs in the order of their posting: one at a time when serial, else as they come. A job that ends at once is done
 * before `post` returns when nothing is before it. Held mail waits.
 */
export class Mailbox {
  readonly #waiting: MailboxJob[] = [];
  readonly #serial: boolean;
  readonly #atWork = new Set<object>();
  #held: boolean;
  #draining = false;
  #whenQuiet: (() => void)[] = [];

  constructor(options: { readonly serial: boolean; readonly held: boolean }) {
    this.#serial = options.serial;
    this.#held = options.held;
  }

  /** Puts a job in line. The function that it returns lets the line go on without the job, should it be at work. */
  post(job: MailboxJob): () => void {
    const token = {};
    this.#waiting.push(() => {
      const end = job();
      if (end === undefined) return undefined;
      this.#atWork.add(token);
      return end.then(() => this.#leave(token));
    });
    this.#drain();
    return () => this.#leave(token);
  }

  hold(): void {
    this.#held = true;
  }

  release(): void {
    this.#held = false;
    this.#drain();
  }

  /** Resolves when no job is at work. */
  quiet(): Promise<void> {
    if (this.#atWork.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenQuiet.push(resolve));
  }

  #leave(token: object): void {
    if (!this.#atWork.delete(token)) return;
    if (this.#atWork.size === 0) {
      for (const resolve of this.#whenQuiet.splice(0)) resolve();
    }
    this.#drain();
  }

  #drain(): void {
    if (this.#draining) return;
    this.#draining = true;
    while (!this.#held && !(this.#serial && this.#atWork.size > 0)) {
      const job = this.#waiting.shift();
      if (job === undefined) break;
      void job();
    }
    this.#draining = false;
  }
}
