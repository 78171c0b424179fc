import { invalidParams } from "../../../shared/contract/errors.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { QueuedMessage, TaskResult } from "../../../shared/contract/team.ts";
import { NO_USAGE } from "../../../shared/state/team-state.ts";
import type { Ledger } from "../log/ledger.ts";
import { answerTimedOut } from "../run/run-end.ts";

/** How long the answer to a directed message is waited for, in milliseconds, from its delivery on. */
export const ANSWER_TIMEOUT_MS = 120_000;

/** A change to the messages that wait. */
export interface QueueChange {
  readonly edit?: { readonly id: string; readonly messages: readonly string[] } | undefined;
  readonly withdraw?: readonly string[] | undefined;
  /** The ids of all that wait, in their new order. */
  readonly order?: readonly string[] | undefined;
}

interface PendingAnswer {
  readonly resolve: (result: TaskResult) => void;
  readonly reject: (error: unknown) => void;
  readonly timeoutMs: number;
  timer?: ReturnType<typeof setTimeout>;
  /** The run in which it was delivered. */
  runId?: string | undefined;
}

/**
 * The user's messages that wait for their time, after the run or at their target's next turn, and those who wait for the
 * answers. What waits is the team's state: it survives a restart, and is delivered once.
 */
export class WaitingMessages {
  readonly #ledger: Ledger;
  readonly #resultSoFar: () => TaskResult | undefined;
  readonly #pendingAnswers = new Map<string, PendingAnswer>();

  /** `soFar` gives what the run in progress has come to. */
  constructor(ledger: Ledger, soFar: () => TaskResult | undefined) {
    this.#ledger = ledger;
    this.#resultSoFar = soFar;
    ledger.onEvent((event) => this.#onEvent(event));
  }

  /** Lets a message wait; resolves on its answer, or with its withdrawal. */
  add(message: QueuedMessage, signal?: AbortSignal): Promise<TaskResult> {
    const { id, to, timeoutMs = ANSWER_TIMEOUT_MS } = message;
    this.#ledger.record({ type: "userMessage/queued", ...message });
    signal?.addEventListener("abort", () => {
      if (this.#isWaiting(id)) this.#ledger.record({ type: "userMessage/withdrawn", id, to });
    });
    return new Promise((resolve, reject) => this.#pendingAnswers.set(id, { resolve, reject, timeoutMs }));
  }

  /** The message that is to be delivered now that a run has ended. */
  get next(): QueuedMessage | undefined {
    return this.#ledger.state.queued.find(({ delivery }) => delivery === "queue");
  }

  /**
   * Writes messages anew, takes them back, and puts them in another order. @throws GavelError `InvalidParams` for one that
   * does not wait.
   */
  change({ edit, withdraw = [], order }: QueueChange): void {
    const { queued } = this.#ledger.state;
    const known = queued.map(({ id }) => id);
    const named = [...(edit === undefined ? [] : [edit.id]), ...withdraw, ...(order ?? [])];
    const unknown = named.filter((id) => !known.includes(id));
    const problems = unknown.map((id) => ({ path: "", message: `no message ${id} waits; it may have been delivered` }));
    if (order !== undefined && new Set(order).size !== known.length) {
      problems.push({ path: "order", message: `name each of the ${known.length} messages that wait once` });
    }
    if (problems.length > 0) throw invalidParams("team/queue", problems);
    if (order !== undefined) this.#ledger.record({ type: "userMessage/reordered", ids: [...order] });
    for (const { id, to } of queued) {
      if (edit?.id === id) this.#ledger.record({ type: "userMessage/edited", id, to, messages: [...edit.messages] });
      if (withdraw.includes(id)) this.#ledger.record({ type: "userMessage/withdrawn", id, to });
    }
  }

  /** A run has ended: what was delivered in it, and not answered, has come to what the run has. */
  runEnded(result: TaskResult): void {
    for (const [id, { runId }] of [...this.#pendingAnswers])
      if (runId === result.runId) this.#remove(id)?.resolve(result);
  }

  /** What kept a message from its delivery. */
  fail(id: string, error: unknown): void {
    this.#remove(id)?.reject(error);
  }

  #onEvent(event: TeamEvent): void {
    if (event.path !== undefined) return;
    switch (event.type) {
      case "userMessage/delivered":
        this.#delivered(event);
        return;
      case "userMessage/answered":
        this.#end(event.id, StopReason.userMessageCompleted, { code: "success" });
        return;
      case "userMessage/withdrawn":
        this.#end(event.id, StopReason.cancelled, { code: "cancelled", reason: "withdrawn" });
        return;
      case "team/reset":
      case "state/loaded":
        for (const id of [...this.#pendingAnswers.keys()]) {
          if (!this.#isWaiting(id)) this.#end(id, StopReason.cancelled, { code: "cancelled", reason: "withdrawn" });
        }
        return;
      default:
    }
  }

  #delivered({
    id,
    to,
    runId,
  }: {
    readonly id: string;
    readonly to: string;
    readonly runId?: string | undefined;
  }): void {
    const waiter = this.#pendingAnswers.get(id);
    if (waiter === undefined) return;
    waiter.runId = runId;
    const { stopReason, status } = answerTimedOut(to);
    waiter.timer = setTimeout(() => this.#end(id, stopReason, status), waiter.timeoutMs);
  }

  #end(id: string, stopReason: string | null, status: TaskResult["status"]): void {
    const soFar = this.#resultSoFar() ?? { runId: "", messages: [], usage: NO_USAGE };
    this.#remove(id)?.resolve({ ...soFar, stopReason, status });
  }

  #remove(id: string): PendingAnswer | undefined {
    const waiter = this.#pendingAnswers.get(id);
    this.#pendingAnswers.delete(id);
    clearTimeout(waiter?.timer);
    return waiter;
  }

  #isWaiting(id: string): boolean {
    return this.#ledger.state.queued.some((message) => message.id === id);
  }
}
