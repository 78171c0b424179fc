import type { DurableDraft } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { OpenTurn, RunStatus } from "../../../shared/contract/team.ts";
import type { RunContext } from "../cancellation/run-context.ts";
import { handoffTarget } from "../context/handoff-message.ts";
import { type Reply, replyMessage } from "../context/reply.ts";
import { redirectionMessages } from "../context/user-message.ts";
import { closingDraftsOf } from "../log/closing.ts";
import { handoffAfter } from "../log/handoffs.ts";
import type { Ledger } from "../log/ledger.ts";
import type { TurnOutcome } from "../participants/participant.ts";
import type { LiveReasoning, Redirection, StopRequest } from "./live-reasoning.ts";

type Conclusion = Extract<DurableDraft, { type: "reasoning/conclusion" }>;

/** The sequence was redirected: its participant takes another turn immediately. */
export const REDIRECTED = Symbol("redirected");

/** How a turn ended, or why it stopped: it waits for the user's decisions or input, was interrupted, or paused. */
export type TurnEnd =
  | Exclude<TurnOutcome, { kind: "reply" | "answered" | "cutShort" }>
  | { readonly kind: "ended" }
  /** The nested run ended before its participant answered the user's message. */
  | { readonly kind: "unanswered"; readonly stopReason: string | null; readonly status: RunStatus };

/** Records how turns end. */
export class TurnEnds {
  readonly #ledger: Ledger;
  readonly #onConcluded: (name: string) => void;

  /** `onConcluded` is called when a participant has finished a turn and its message is in the thread. */
  constructor(ledger: Ledger, onConcluded: (name: string) => void) {
    this.#ledger = ledger;
    this.#onConcluded = onConcluded;
  }

  /** Adds the user's input in a user participant's turn, and ends the turn. */
  addUserTurn({ id, participant }: OpenTurn, input: ChatMessage): void {
    const ledger = this.#ledger;
    const to = handoffAfter(ledger.state, input);
    ledger.record({ type: "message/added", message: input });
    if (to !== undefined) ledger.record({ type: "handoff", from: participant, to });
    ledger.record({ type: "reasoning/conclusion", from: participant, correlation_id: [id] });
    this.#recordAnswered(participant);
  }

  /** Records how a turn ended, or that it waits. */
  end(id: string, name: string, outcome: TurnOutcome): TurnEnd {
    switch (outcome.kind) {
      case "reply":
        this.#conclude(id, name, outcome.reply);
        return { kind: "ended" };
      case "answered":
        return this.#concludeAnswered(id, name, outcome);
      case "cutShort":
        return this.#cutShort(id, name, outcome.message);
      case "awaitingUser":
        this.#askUser(outcome);
        this.#concludeSecond(id, name, ({ awaits }) => awaits !== undefined);
        return outcome;
      case "awaitingTools":
        this.#concludeSecond(id, name, ({ awaits }) => awaits === undefined);
        return outcome;
      default:
        return outcome;
    }
  }

  /** Keeps what the turn has said as a partial message, and concludes it: others may speak. */
  #cutShort(id: string, name: string, message: string): TurnEnd {
    const ledger = this.#ledger;
    for (const draft of closingDraftsOf(ledger.state, name, "work")) ledger.record(draft);
    ledger.record({ type: "error", message, participant: name, data: { code: "AgentError" } });
    ledger.record({
      type: "reasoning/conclusion",
      from: name,
      correlation_id: [id],
      message,
      interrupted: true,
      complete: true,
    });
    return { kind: "ended" };
  }

  /** Ends such a turn, which adds nothing to the thread of this team. */
  #concludeAnswered(id: string, name: string, { stop }: TurnOutcome & { kind: "answered" }): TurnEnd {
    this.#ledger.record({ type: "reasoning/conclusion", from: name, correlation_id: [id] });
    return stop === undefined ? { kind: "ended" } : { kind: "unanswered", ...stop };
  }

  #askUser({ participant, through }: TurnOutcome & { kind: "awaitingUser" }): void {
    const within = through === undefined ? {} : { through: [...through] };
    this.#ledger.record({ type: "userInput/requested", participant, ...within });
  }

  #conclude(
    id: string,
    name: string,
    reply: Reply,
    how: Pick<Conclusion, "interrupted" | "complete" | "message"> = {},
  ): void {
    const ledger = this.#ledger;
    const to = handoffTarget(reply);
    this.#addMessage(name, reply);
    if (to !== undefined) ledger.record({ type: "handoff", from: name, to });
    ledger.record({ type: "reasoning/conclusion", from: name, correlation_id: [id], ...how });
    this.#recordAnswered(name);
    this.#onConcluded(name);
  }

  #recordAnswered(name: string): void {
    const ledger = this.#ledger;
    for (const { id, to } of ledger.state.due ?? []) {
      if (to === name) ledger.record({ type: "userMessage/answered", id, to });
    }
  }

  /**
   * A message to a participant that waited for the user, or within one that waited for decisions: its first turn goes on
   * waiting, and takes the input or the results.
   */
  #concludeSecond(id: string, name: string, waitsAlike: (turn: OpenTurn) => boolean): void {
    const ledger = this.#ledger;
    const { openTurns } = ledger.state;
    const waited = openTurns.some((turn) => turn.participant === name && turn.id !== id && waitsAlike(turn));
    if (waited) ledger.record({ type: "reasoning/conclusion", from: name, correlation_id: [id], interrupted: true });
  }

  #addMessage(name: string, reply: Reply): void {
    this.#ledger.record({ type: "message/added", message: replyMessage(name, reply) });
  }

  /**
   * Concludes a sequence that was interrupted after the thought in progress. A sequence that waits for the user stays open,
   * unless it is redirected while it waits for decisions on its own calls.
   */
  concludeInterrupted(
    { id, participant: name }: LiveReasoning,
    { message, redirections, stops }: StopRequest,
    outcome: TurnOutcome,
    parent: RunContext,
  ): TurnEnd | typeof REDIRECTED {
    const ledger = this.#ledger;
    const directed = ledger.state.openTurns.find((turn) => turn.id === id)?.directed;
    const { kind } = outcome;
    const waits = kind === "awaitingTools" || kind === "awaitingUser" || kind === "paused";
    if (waits && (stops || !this.#waitsForOwnCalls(name, outcome))) {
      if (outcome.kind === "awaitingUser") this.#askUser(outcome);
      this.#addRedirections(name, redirections);
      return outcome;
    }
    const how = { message, interrupted: true as const };
    if (outcome.kind === "reply" && stops) this.#conclude(id, name, outcome.reply, { ...how, complete: true });
    else {
      if (outcome.kind === "reply") this.#addMessage(name, outcome.reply);
      for (const draft of closingDraftsOf(ledger.state, name, "work")) ledger.record(draft);
      const complete = outcome.kind === "answered" ? { complete: true as const } : {};
      ledger.record({ type: "reasoning/conclusion", from: name, correlation_id: [id], ...how, ...complete });
    }
    this.#addRedirections(name, redirections);
    if (stops || parent.isStopping) return { kind: "interrupted" };
    if (directed !== undefined) ledger.record({ type: "speaker/selected", participants: [name], directed });
    return REDIRECTED;
  }

  /** True when the turn waits for decisions on its own calls, not on calls of a nested team. */
  #waitsForOwnCalls(name: string, { kind }: TurnOutcome): boolean {
    const { pendingTools } = this.#ledger.state;
    return kind === "awaitingTools" && !pendingTools.some(({ path }) => path?.[0] === name);
  }

  #addRedirections(to: string, redirections: readonly Redirection[]): void {
    for (const message of redirections.flatMap((each) => redirectionMessages(to, each))) {
      this.#ledger.record({ type: "message/added", message });
    }
  }
}
