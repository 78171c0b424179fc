import { type CallOutcome, newId, type RequestedCall, type Turn, type Unregister } from "../../../engine/index.ts";
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
import { TurnReports } from "./turn-reports.ts";

/** The host's side of one turn at a worker: what the worker may ask of it, under addresses that it alone is told. */
export class RemoteTurn {
  readonly address: { readonly node: string; readonly turn: string };
  readonly #turn: Turn;
  readonly #reports: TurnReports;
  readonly #releases: Unregister[];
  readonly #requested = new Map<string, RequestedCall>();
  readonly #running = new Set<Promise<CallOutcome[]>>();
  readonly #outcomes: CallOutcome[] = [];

  constructor(turn: Turn, name: string, runtime: LinkRuntime) {
    this.#turn = turn;
    this.#reports = new TurnReports(name, turn.id);
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

  /** Whether the worker has begun a message of that id. */
  hasMessage(id: string): boolean {
    return this.#reports.has(id);
  }

  #report(given: unknown): void {
    const draft = this.#reports.draft(given, (ref) => this.#requested.has(ref));
    if (draft !== undefined) this.#turn.emit(draft);
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
