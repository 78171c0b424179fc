import { TeamEvent } from "../../../../shared/contract/event.ts";
import { safeParse } from "../../../../shared/safe-parse.ts";
import {
  type CallOutcome,
  newId,
  type RequestedCall,
  type Turn,
  type TurnDraft,
  type Unregister,
} from "../../../engine/index.ts";
import {
  CallsToRun,
  type LinkRuntime,
  PartSizesData,
  RequestingAnswerData,
  SummaryData,
  turnCalls,
  turnEvents,
  turnOlderPart,
  turnRequests,
  turnSummary,
} from "../../../link/index.ts";

/** What a turn at a worker may report, by the field that says who did it. */
const REPORTED: Readonly<Partial<Record<TurnDraft["type"], string>>> = {
  "message/started": "source",
  "message/chunk": "source",
  "reasoning/chunk": "from",
  "reasoning/thought": "from",
  "model/asked": "by",
  "model/retry": "participant",
  "model/fallback": "participant",
  "model/waiting": "participant",
  "context/summarizing": "participant",
  "plan/updated": "participant",
  "memory/added": "participant",
  "tool/executed": "participant",
};

/** The host's side of one turn at a worker: what the worker may ask of it, under addresses that it alone is told. */
export class RemoteTurn {
  readonly address: { readonly node: string; readonly turn: string };
  readonly #turn: Turn;
  readonly #name: string;
  readonly #releases: Unregister[];
  readonly #requested = new Map<string, RequestedCall>();
  readonly #running = new Set<Promise<CallOutcome[]>>();
  readonly #outcomes: CallOutcome[] = [];

  constructor(turn: Turn, name: string, runtime: LinkRuntime) {
    this.#turn = turn;
    this.#name = name;
    this.address = { node: runtime.node, turn: newId("remote") };
    const events = turnEvents(this.address);
    const each = { serial: false };
    this.#releases = [
      runtime.register(events, (draft: unknown) => this.#report(draft)),
      runtime.subscribe(events, events),
      runtime.register(turnRequests(this.address), (answer) => this.#request(answer), each),
      runtime.register(turnCalls(this.address), (calls) => this.#run(calls), each),
      runtime.register(turnOlderPart(this.address), (sizes) => turn.olderPart(PartSizesData.parse(sizes)), each),
      runtime.register(turnSummary(this.address), (summary) => turn.recordSummary(SummaryData.parse(summary)), each),
    ];
  }

  /** How its calls ended, once all have. */
  async settled(): Promise<readonly CallOutcome[]> {
    await Promise.allSettled(this.#running);
    return this.#outcomes;
  }

  close(): void {
    for (const release of this.#releases) release();
  }

  /** Records an event that a turn may report, as its own participant's. */
  #report(draft: unknown): void {
    const parsed = safeParse(TeamEvent, typeof draft === "object" ? { seq: 0, at: "", ...draft } : draft);
    if (!parsed.success) return;
    const { at: _at, runId: _runId, path: _path, ...event } = parsed.data;
    const { seq: _seq, ...own } = { seq: 0, ...event };
    const who = REPORTED[own.type as TurnDraft["type"]];
    if (who === undefined) return;
    // Its own built-in tools alone: what the host runs is recorded by the host.
    if (own.type === "tool/executed" && !this.#requested.has(own.ref)) return;
    const thoughts = who === "from" ? { correlation_id: [this.#turn.id] } : {};
    this.#turn.emit({ ...own, [who]: this.#name, ...thoughts } as TurnDraft);
  }

  async #request(answer: unknown): Promise<readonly RequestedCall[] | undefined> {
    const { usage, ...asked } = RequestingAnswerData.parse(answer);
    const calls = await this.#turn.requestCalls({ ...asked, usage });
    for (const call of calls ?? []) this.#requested.set(call.ref, call);
    return calls;
  }

  async #run(given: unknown): Promise<readonly CallOutcome[]> {
    const calls = CallsToRun.parse(given).refs.flatMap((ref) => this.#requested.get(ref) ?? []);
    for (const { ref } of calls) this.#requested.delete(ref);
    const running = this.#turn.runCalls(calls);
    this.#running.add(running);
    const outcomes = await running;
    this.#outcomes.push(...outcomes);
    return outcomes;
  }
}
