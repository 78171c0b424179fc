import { setTimeout as pause } from "node:timers/promises";
import type { Contender } from "./contender.ts";

/** How much of a stream must have arrived before it is aborted. */
const FAR = 5;

/** One abort: `ms` from the abort to the end of the turn; `abortedAt` on the clock of `process.hrtime`. */
export interface Aborted {
  readonly ms: number;
  /** Whether the contender still has the text that had streamed. */
  readonly kept: boolean;
  readonly abortedAt: string;
}

/** Turns of one contender that stream at the same time, each in an agent of its own. */
export class Streams {
  readonly #contenders: readonly Contender[];
  readonly #streams: Stream[];
  #next = 0;

  constructor(contenders: readonly Contender[]) {
    this.#contenders = contenders;
    this.#streams = contenders.map((contender) => new Stream(contender));
  }

  /** Aborts one of them in mid-stream after `waitMs` milliseconds, out of step with the chunks, and starts it again. */
  async abortOne(waitMs: number): Promise<Aborted> {
    const at = this.#next++ % this.#streams.length;
    const contender = this.#contenders[at];
    const stream = this.#streams[at];
    if (contender === undefined || stream === undefined) throw new Error("There is no stream to abort.");
    await Promise.all(this.#streams.map((other) => other.isUnderWay));
    await pause(waitMs);
    const aborted = await stream.abort();
    this.#streams[at] = new Stream(contender);
    return aborted;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#streams.map((stream) => stream.abort()));
    await Promise.all(this.#contenders.map((contender) => contender.dispose?.()));
  }
}

class Stream {
  readonly #controller = new AbortController();
  readonly #turn: Promise<string>;
  readonly #far = Promise.withResolvers<void>();
  #seen = "";
  #pieces = 0;

  constructor(contender: Contender) {
    this.#turn = contender.turn((delta) => {
      this.#seen += delta;
      if (++this.#pieces === FAR) this.#far.resolve();
    }, this.#controller.signal);
    this.#turn.then(() => this.#far.resolve(), this.#far.reject);
    this.#far.promise.catch(() => {});
  }

  /** Resolves when some of its text has arrived. @throws the reason why none did. */
  get isUnderWay(): Promise<void> {
    return this.#far.promise;
  }

  async abort(): Promise<Aborted> {
    const abortedAt = process.hrtime.bigint();
    this.#controller.abort();
    const held = await this.#turn;
    const ms = Number(process.hrtime.bigint() - abortedAt) / 1e6;
    return { ms, kept: held !== "" && held === this.#seen, abortedAt: String(abortedAt) };
  }
}
