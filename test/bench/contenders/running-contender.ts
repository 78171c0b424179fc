import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { Child } from "../child.ts";
import type { BenchEndpoint } from "../endpoint/endpoint.ts";
import type { ContenderModule } from "./lineup.ts";
import type { Kind } from "./work.ts";

const Ready = z.object({ ready: z.literal(true) });
const Timed = z.object({ ms: z.number() });
const Streaming = z.object({ streaming: z.literal(true) });
const Aborted = z.object({ ms: z.number(), kept: z.boolean(), abortedAt: z.string() });

/** A connection that is still open this long after the abort counts as left open; milliseconds. */
const LEFT_OPEN_MS = 300;

/** What a contender is asked to do, and with how many agents. */
export interface BenchTask {
  readonly kind: Kind;
  readonly agents: number;
}

/** A contender that runs in its own process. */
export class RunningContender {
  readonly label: string;
  readonly #caller: string;
  readonly #child: Child;
  readonly #endpoint: BenchEndpoint;

  private constructor(label: string, caller: string, child: Child, endpoint: BenchEndpoint) {
    this.label = label;
    this.#caller = caller;
    this.#child = child;
    this.#endpoint = endpoint;
  }

  /** @throws the reason why it did not start. */
  static async start(
    { label, module, loader }: ContenderModule,
    endpoint: BenchEndpoint,
    pace: { readonly pieces: number; readonly intervalMs: number },
  ): Promise<RunningContender> {
    const caller = encodeURIComponent(module);
    const baseUrl = endpoint.url(caller, pace.pieces, pace.intervalMs);
    const child = new Child("contenders/process.ts", [module, baseUrl, loader ?? ""]);
    await child.next(Ready);
    return new RunningContender(label, caller, child, endpoint);
  }

  /** Mean milliseconds for one run of the task, over `times` runs. @throws the reason why it failed. */
  async time(task: BenchTask, times: number): Promise<number> {
    return (await this.#child.ask({ ...task, times }, Timed)).ms;
  }

  /** Ends the current streams and starts `streams` new ones. */
  async stream(streams: number): Promise<void> {
    await this.#child.ask({ streams }, Streaming);
  }

  /** Aborts one stream. Times are milliseconds from the abort; `closedMs` is `Infinity` for a connection that stays open. */
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
