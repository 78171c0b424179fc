import { failureError, type Outcome, type Write, type WriteResults, type Writer } from "./write.ts";

/** A write with what is to be done with its outcome. `settle` must not throw. */
export interface PendingWrite {
  readonly write: Write;
  readonly settle: (outcome: Outcome) => void;
}

/** What collects writes of its own, such as a team's journal, until a batch is made. */
export interface WriteSource {
  /** What it has collected; undefined for nothing, or while its last write is not settled, unless no other will follow. */
  nextWrite(isLast: boolean): PendingWrite | undefined;
}

/**
 * How long the text of open messages is collected, in milliseconds. It is less than what a screen needs to show something
 * new, and saves most of the commits of a team that streams.
 */
const COLLECT = 5;

const CLOSED: Outcome = {
  failure: { message: "The store was closed; start the agent host and try again.", conflict: false },
};

/**
 * Hands writes to the writer in their order, one batch at a time: what is queued in one turn of the event loop, or while a
 * batch is being written, is one batch, because a commit costs far more than a write. Text is collected for longer, unless
 * something else is written. What is waited for is sent at once.
 */
export class WriteQueue {
  readonly #writer: Writer;
  readonly #sources = new Set<WriteSource>();
  #writes: PendingWrite[] = [];
  readonly #whenIdle: (() => void)[] = [];
  #isSending = false;
  #isClosed = false;
  #atEnd: ReturnType<typeof setImmediate> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** @throws GavelError `StorageError`, or `TeamBusy` of that team when another host is in the way. */
  async write<K extends Write["kind"]>(write: Extract<Write, { kind: K }>, teamId?: string): Promise<WriteResults[K]> {
    const outcome = await new Promise<Outcome>((settle) => {
      this.#writes.push({ write, settle });
      this.flush();
    });
    if ("failure" in outcome) throw failureError(outcome.failure, teamId);
    // Sound because the writer answers a write of one kind with a result of that kind.
    return outcome.value as WriteResults[K];
  }

  /** Asks the source for its writes at the end of this turn of the event loop. */
  add(source: WriteSource): void {
    this.#sources.add(source);
    this.#atEnd ??= setImmediate(() => this.#send());
  }

  /** Asks the source for its writes a little later, or with others. */
  addText(source: WriteSource): void {
    this.#sources.add(source);
    this.#timer ??= setTimeout(() => this.#send(), COLLECT);
  }

  /** Sends what is queued without waiting for more. */
  flush(): void {
    queueMicrotask(() => this.#send());
  }

  /** Resolves when nothing is queued or being written. */
  idle(): Promise<void> {
    if (!this.#isSending && this.#writes.length === 0 && this.#sources.size === 0) return Promise.resolve();
    this.flush();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  /** Carries out what was not sent and closes the store, while the caller waits. What is written from then on fails. */
  close(): void {
    const unsent = this.#collect(true);
    this.#isClosed = true;
    this.#clearTimers();
    this.#writer.finish(unsent.map(({ write }) => write));
    // Whether it was stored in time is not known.
    for (const { settle } of unsent) settle(CLOSED);
  }

  async #send(): Promise<void> {
    this.#clearTimers();
    if (this.#isSending) return;
    this.#isSending = true;
    for (let batch = this.#collect(); batch.length > 0; batch = this.#collect()) {
      const outcomes = this.#isClosed
        ? batch.map(() => CLOSED)
        : await this.#writer.execute(batch.map(({ write }) => write));
      for (const [at, { settle }] of batch.entries()) {
        settle(outcomes[at] ?? { failure: { message: "The store gave no answer; try again.", conflict: false } });
      }
    }
    this.#isSending = false;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  #clearTimers(): void {
    clearImmediate(this.#atEnd);
    clearTimeout(this.#timer);
    this.#atEnd = undefined;
    this.#timer = undefined;
  }

  /** The journals first: what is written about a team comes after its events. */
  #collect(isLast = false): readonly PendingWrite[] {
    const collected = [...this.#sources].flatMap((source) => source.nextWrite(isLast) ?? []);
    this.#sources.clear();
    const batch = [...collected, ...this.#writes];
    this.#writes = [];
    return batch;
  }
}
