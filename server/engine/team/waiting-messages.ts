import { invalidParams } from "../../../shared/contract/errors.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { QueuedMessage, TaskResult } from "../../../shared/contract/team.ts";
import { NO_USAGE } from "../../../shared/state/team-state.ts";
import type { Ledger } from "../log/ledger.ts";
import { answerTimedOut, awaitingTools, type RunEnd } from "../run/run-end.ts";
import { ANSWER_TIMEOUT_MS } from "../run/run-trigger.ts";

/** A change to the waiting messages. */
export interface QueueChange {
  readonly edit?: { readonly id: string; readonly messages: readonly string[] } | undefined;
  readonly withdraw?: readonly string[] | undefined;
  /** The ids of all waiting messages, in their new order. */
  readonly order?: readonly string[] | undefined;
}

/** Notes in whose name it is called: what it returns does work in that name, whenever that is. */
export type KeepName = () => (work: () => void) => void;

interface PendingAnswer {
  readonly resolve: (result: TaskResult) => void;
  readonly reject: (error: unknown) => void;
  readonly timeoutMs: number;
  timer?: ReturnType<typeof setTimeout>;
  /** The run in which the message was delivered. */
  runId?: string | undefined;
}

/** Events after which a message may no longer wait. */
const ENDS_WAITING: ReadonlySet<string> = new Set([
  "userMessage/delivered",
  "userMessage/withdrawn",
  "team/reset",
  "state/loaded",
]);

/**
 * The user's messages that wait for the end of the run or for the next turn of their target, and the senders that wait for
 * answers. The waiting messages are part of the team's state: they survive a restart, and each is delivered once.
 */
export class WaitingMessages {
  readonly #ledger: Ledger;
  readonly #resultSoFar: () => TaskResult | undefined;
  readonly #keepName: KeepName;
  readonly #pendingAnswers = new Map<string, PendingAnswer>();
  /** Of the messages that were sent in this process. */
  readonly #names = new Map<string, ReturnType<KeepName>>();

  /** `resultSoFar` returns the result so far of the run in progress, if there is one. */
  constructor(ledger: Ledger, resultSoFar: () => TaskResult | undefined, keepName: KeepName) {
    this.#ledger = ledger;
    this.#keepName = keepName;
    this.#resultSoFar = resultSoFar;
    ledger.onEvent((event) => this.#onEvent(event));
  }

  /** Queues a message; resolves on its answer, when it is withdrawn, or when the team comes to rest before its delivery. */
  add(message: QueuedMessage, signal?: AbortSignal): Promise<TaskResult> {
    const { id, to, by, timeoutMs = ANSWER_TIMEOUT_MS } = message;
    const sentBy = by === undefined ? {} : { by };
    this.#ledger.record({ type: "userMessage/queued", ...message });
    this.#names.set(id, this.#keepName());
    signal?.addEventListener("abort", () => {
      if (this.#isWaiting(id)) this.#ledger.record({ type: "userMessage/withdrawn", id, ...addressed(to), ...sentBy });
    });
    return new Promise((resolve, reject) => this.#pendingAnswers.set(id, { resolve, reject, timeoutMs }));
  }

  /** Queues a message while calls wait and no run is in progress; the result says that it waits. */
  async addAtRest(message: QueuedMessage): Promise<TaskResult> {
    const waiting = this.add(message);
    this.cameToRest("", awaitingTools());
    return waiting;
  }

  /** The next message to deliver after a run. */
  get next(): QueuedMessage | undefined {
    return this.#ledger.state.queued.find(({ delivery }) => delivery === "queue");
  }

  /** Does what delivers a message in the name of its sender. */
  inNameOfSender(id: string, work: () => void): void {
    const within = this.#names.get(id);
    if (within === undefined) work();
    else within(work);
  }

  /** Edits, withdraws and reorders waiting messages. @throws GavelError `InvalidParams` for a message that does not wait. */
  change({ edit, withdraw = [], order }: QueueChange, by: string): void {
    const { queued } = this.#ledger.state;
    const known = queued.map(({ id }) => id);
    const named = [...(edit === undefined ? [] : [edit.id]), ...withdraw, ...(order ?? [])];
    const unknown = named.filter((id) => !known.includes(id));
    const problems = unknown.map((id) => ({
      path: "",
      message: `no message ${id} is waiting; it may have been delivered`,
    }));
    if (order !== undefined && new Set(order).size !== known.length) {
      problems.push({ path: "order", message: `name each of the ${known.length} waiting messages once` });
    }
    if (problems.length > 0) throw invalidParams("team/queue", problems);
    if (order !== undefined) this.#ledger.record({ type: "userMessage/reordered", ids: [...order], by });
    for (const { id, to } of queued) {
      if (edit?.id === id)
        this.#ledger.record({ type: "userMessage/edited", id, ...addressed(to), messages: [...edit.messages], by });
      if (withdraw.includes(id)) this.#ledger.record({ type: "userMessage/withdrawn", id, ...addressed(to), by });
    }
  }

  /** Resolves the messages that were delivered in a run, and not answered, with the result of that run. */
  runEnded(result: TaskResult): void {
    for (const [id, { runId }] of [...this.#pendingAnswers])
      if (runId === result.runId) this.#remove(id)?.resolve(result);
  }

  /**
   * Answers the requests of messages that still wait when a run has ended and no other follows: nothing says when they will
   * be delivered, so the requests do not stay open until then.
   */
  cameToRest(runId: string, { stopReason, status }: RunEnd): void {
    const { queued } = this.#ledger.state;
    for (const { id, to, delivery } of queued) {
      const turn = to === undefined ? "the next turn" : `${to}'s next turn`;
      const how = delivery === "steer" ? `waits for ${turn}` : "waits, and is delivered in the next run";
      const message = `The message to ${to ?? "the team"} was not delivered in this run. It ${how}.`;
      const left = { runId, messages: [], stopReason, status: { ...status, message }, usage: NO_USAGE, waiting: id };
      this.#remove(id)?.resolve(left);
    }
  }

  /** Rejects a message that could not be delivered. */
  fail(id: string, error: unknown): void {
    this.#remove(id)?.reject(error);
  }

  #onEvent(event: TeamEvent): void {
    if (this.#names.size > 0 && ENDS_WAITING.has(event.type))
      for (const id of this.#names.keys()) if (!this.#isWaiting(id)) this.#names.delete(id);
    switch (event.type) {
      // A message to a participant of a nested team is delivered and answered there.
      case "userMessage/delivered":
        this.#delivered(event);
        return;
      case "userMessage/answered":
        this.#end(event.id, StopReason.userMessageCompleted, { code: "success" });
        return;
      default:
        if (event.path === undefined) this.#onOwnEvent(event);
    }
  }

  #onOwnEvent(event: TeamEvent): void {
    switch (event.type) {
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

  #delivered({ id, to }: { readonly id: string; readonly to?: string | undefined }): void {
    const pending = this.#pendingAnswers.get(id);
    if (pending === undefined) return;
    pending.runId = this.#ledger.state.run?.runId;
    // The whole team goes on with its messages: the result is that of the run.
    if (to === undefined) return;
    const { stopReason, status } = answerTimedOut(to);
    pending.timer = setTimeout(() => this.#end(id, stopReason, status), pending.timeoutMs);
  }

  #end(id: string, stopReason: string | null, status: TaskResult["status"]): void {
    const soFar = this.#resultSoFar() ?? { runId: "", messages: [], usage: NO_USAGE };
    this.#remove(id)?.resolve({ ...soFar, stopReason, status });
  }

  #remove(id: string): PendingAnswer | undefined {
    const pending = this.#pendingAnswers.get(id);
    this.#pendingAnswers.delete(id);
    clearTimeout(pending?.timer);
    return pending;
  }

  #isWaiting(id: string): boolean {
    return this.#ledger.state.queued.some((message) => message.id === id);
  }
}

const addressed = (to: string | undefined): { to?: string } => (to === undefined ? {} : { to });
