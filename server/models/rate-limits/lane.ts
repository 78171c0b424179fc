import type { Clock } from "../clock.ts";
import { StreamError } from "../failures/failure.ts";
import { backoff } from "../failures/retry.ts";
import type { Answer } from "../network/send.ts";
import { exhaustedFor } from "./exhausted.ts";
import { LearnedLimit, type SentAt } from "./learned-limit.ts";

/** A request that may be sent now. It is disposed when its answer has ended, or has failed. */
export interface Place extends Disposable {
  /** The endpoint has begun to answer. */
  answered(answer: Pick<Answer, "status" | "headers">): void;
  /** The endpoint takes no more requests for now, and asks to wait for `requestedMs` if it says so. */
  refused(requestedMs: number | undefined): Refused;
}

interface Refused {
  /** How long the endpoint is left alone, in milliseconds; 0 where the request only waits for others to end. */
  readonly waitMs: number;
  /** Whether others got in instead: then the request may well succeed later. */
  readonly gaveWay: boolean;
}

/** A request that waits. */
interface Waiting {
  readonly ticket: number;
  readonly admit: (place: Place) => void;
  /** Says that it waits, unless that is known. */
  readonly announce: () => void;
  /** Gives up if the endpoint is left alone for longer than it may wait. */
  readonly reconsider: () => void;
}

export interface EntryOptions {
  /** Its place in the order of all requests, from {@link Lane.ticket}. */
  readonly ticket: number;
  readonly signal: AbortSignal;
  /** It is known that it waits until the endpoint is no longer left alone. */
  readonly isAnnounced: boolean;
  /** How long it may wait for an endpoint that is left alone, in milliseconds; any time if left out. */
  readonly longestWaitMs?: number | undefined;
  /** Called when it waits, with the time until which the endpoint is left alone if it is, in milliseconds since 1970. */
  readonly onWait: (until: number | undefined) => void;
}

/** How long what was learned counts while nothing is asked, in milliseconds. */
const FORGET_AFTER = 300_000;

/**
 * The way of all requests to one model with one key. They back off together: when the endpoint asks to wait, none is sent
 * until then, and no more are in flight than it takes. The one that came first goes first, also after it was refused.
 */
export class Lane {
  readonly #clock: Clock;
  readonly #inFlight = new Set<object>();
  /** In the order of their tickets. */
  readonly #waiting: Waiting[] = [];
  #limit: LearnedLimit;
  #lastTicket = 0;
  /** How many requests the endpoint has begun to answer. */
  #answers = 0;
  /** How many refusals in a row said something new, without an answer in between. */
  #refusals = 0;
  #pausedUntil = 0;
  #timer: AbortController | undefined;
  #lastUse = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#limit = new LearnedLimit(() => clock.now());
  }

  /** True while nothing is in flight, waits, or is known of the endpoint. */
  get isIdle(): boolean {
    return (
      this.#inFlight.size === 0 &&
      this.#waiting.length === 0 &&
      (this.#isUnlimited || this.#isForgotten) &&
      !this.#isPaused
    );
  }

  /** The place of one more request in the order. */
  ticket(): number {
    this.#lastTicket += 1;
    return this.#lastTicket;
  }

  /**
   * Waits until the request may be sent. Undefined, at once, when its signal is aborted.
   * @throws StreamError `asksToWait` once the endpoint is left alone for longer than `longestWaitMs`.
   */
  enter(options: EntryOptions): Place | Promise<Place | undefined> {
    if (this.#inFlight.size === 0 && this.#waiting.length === 0 && this.#isForgotten)
      this.#limit = new LearnedLimit(() => this.#clock.now());
    this.#lastUse = this.#clock.now();
    if (options.signal.aborted) return Promise.resolve(undefined);
    return this.#waiting.length === 0 && this.#isOpen ? this.#place() : this.#wait(options);
  }

  get #isUnlimited(): boolean {
    return this.#limit.value === Number.POSITIVE_INFINITY;
  }

  get #isForgotten(): boolean {
    return this.#clock.now() - this.#lastUse > FORGET_AFTER;
  }

  get #isPaused(): boolean {
    return this.#pausedUntil > this.#clock.now();
  }

  get #isOpen(): boolean {
    return this.#inFlight.size < this.#limit.value && !this.#isPaused;
  }

  #wait({ ticket, signal, isAnnounced, longestWaitMs, onWait }: EntryOptions): Promise<Place | undefined> {
    return new Promise((resolve, reject) => {
      let isKnown = false;
      const waiting: Waiting = {
        ticket,
        admit: (place) => {
          signal.removeEventListener("abort", stop);
          resolve(place);
        },
        announce: () => {
          if (!isKnown) onWait(this.#isPaused ? this.#pausedUntil : undefined);
          isKnown = true;
        },
        reconsider: () => {
          const waitMs = this.#pausedUntil - this.#clock.now();
          if (longestWaitMs === undefined || waitMs <= longestWaitMs) return;
          signal.removeEventListener("abort", stop);
          leave();
          reject(new StreamError({ kind: "asksToWait", waitMs }));
        },
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.#watchPause();
      };
      const stop = (): void => {
        leave();
        resolve(undefined);
      };
      signal.addEventListener("abort", stop, { once: true });
      const later = this.#waiting.findIndex((other) => other.ticket > ticket);
      this.#waiting.splice(later === -1 ? this.#waiting.length : later, 0, waiting);
      this.#next();
      if (this.#waiting.includes(waiting)) waiting.reconsider();
      if (this.#waiting.includes(waiting) && !(isAnnounced && this.#isPaused)) waiting.announce();
    });
  }

  #next(): void {
    while (this.#isOpen) {
      const first = this.#waiting.shift();
      if (first === undefined) break;
      first.admit(this.#place());
    }
    this.#watchPause();
  }

  /** A timer runs only while someone waits for it. */
  #watchPause(): void {
    if (this.#waiting.length === 0) {
      this.#timer?.abort();
      this.#timer = undefined;
    } else if (this.#isPaused && this.#timer === undefined) void this.#endPause();
  }

  async #endPause(): Promise<void> {
    const timer = new AbortController();
    this.#timer = timer;
    await this.#clock.wait(this.#pausedUntil - this.#clock.now(), timer.signal);
    if (timer.signal.aborted) return;
    this.#timer = undefined;
    this.#pausedUntil = 0;
    this.#next();
    for (const waiting of this.#waiting) waiting.announce();
  }

  /** Sends nothing for that many milliseconds. */
  pause(ms: number): void {
    if (ms <= 0) return;
    const until = this.#clock.now() + ms;
    if (until <= this.#pausedUntil) return;
    this.#pausedUntil = until;
    this.#timer?.abort();
    this.#timer = undefined;
    for (const waiting of [...this.#waiting]) waiting.reconsider();
    this.#watchPause();
  }

  #place(): Place {
    const sentAt: SentAt = this.#limit.sent();
    const limit = this.#limit;
    const answersBefore = this.#answers;
    let isAnswered = false;
    const place: Place = {
      answered: ({ status, headers }) => {
        if (status < 200 || status >= 300) return;
        isAnswered = true;
        this.#answers += 1;
        this.#refusals = 0;
        const wait = exhaustedFor(headers, this.#clock.now());
        if (wait !== undefined) this.pause(wait);
      },
      refused: (requestedMs) => {
        this.#inFlight.delete(place);
        const others = this.#inFlight.size;
        if (limit.refused(sentAt, others)) this.#refusals += 1;
        // Where others are in flight, the end of one makes room, unless that was tried.
        const waitMs = requestedMs ?? (others === 0 || this.#refusals > 1 ? backoff(this.#refusals) : 0);
        this.pause(waitMs);
        return { waitMs, gaveWay: others > 0 || this.#answers - Number(isAnswered) > answersBefore };
      },
      [Symbol.dispose]: () => {
        if (this.#inFlight.delete(place) && isAnswered) limit.answered();
        this.#lastUse = this.#clock.now();
        this.#next();
      },
    };
    this.#inFlight.add(place);
    return place;
  }
}
