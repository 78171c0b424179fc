import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { Child } from "../child.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { ContenderModule } from "./lineup.ts";
import type { Kind } from "./work.ts";

const Ready = z.object({ ready: z.literal(true) });
const Timed = z.object({ ms: z.number() });
const Streaming = z.object({ streaming: z.literal(true) });
const Aborted = z.object({ ms: z.number(), kept: z.boolean(), abortedAt: z.string() });

/** A connection that is still open so long after the abort is taken to stay so. */
const LEFT_OPEN_MS = 300;

/** What is asked of a contender, and how many agents take part. */
export interface Task {
  readonly kind: Kind;
  readonly agents: number;
}

/** A contender at work in its own process. */
export class RunningContender {
  readonly label: string;
  readonly #caller: string;
  readonly #child: Child;
  readonly #endpoint: Endpoint;

  private constructor(label: string, caller: string, child: Child, endpoint: Endpoint) {
    this.label = label;
    this.#caller = caller;
    this.#child = child;
    this.#endpoint = endpoint;
  }

  /** @throws what kept it from starting. */
  static async start(
    { label, module, loader }: ContenderModule,
    endpoint: Endpoint,
    pace: { readonly pieces: number; readonly intervalMs: number },
  ): Promise<RunningContender> {
    const caller = encodeURIComponent(module);
    const baseUrl = endpoint.url(caller, pace.pieces, pace.intervalMs);
    const child = new Child("contenders/process.ts", [module, baseUrl, loader ?? ""]);
    await child.next(Ready);
    return new RunningContender(label, caller, child, endpoint);
  }

  /** Milliseconds for doing something once, on the mean of so many times. @throws what kept it from it. */
  async time(task: Task, times: number): Promise<number> {
    return (await this.#child.ask({ ...task, times }, Timed)).ms;
  }

  /** Ends the streams there are, and begins so many. */
  async stream(streams: number): Promise<void> {
    await this.#child.ask({ streams }, Streaming);
  }

  /** Aborts one stream; times in milliseconds from the abort. A connection that stays open has the time `Infinity`. */
  async abort(waitMs: number): Promise<{ ms: number; kept: boolean; closedMs: number }> {
    const closed = this.#endpoint.closed(this.#caller);
    const { ms, kept, abortedAt } = await this.#child.ask({ abortAfterMs: waitMs }, Aborted);
    const at = await Promise.race([closed, pause(LEFT_OPEN_MS, undefined, { ref: false })]);
    return { ms, kept, closedMs: at === undefined ? Number.POSITIVE_INFINITY : Number(at - BigInt(abortedAt)) / 1e6 };
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}
