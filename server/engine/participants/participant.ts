import type { EventDraft } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { ReasoningRequest, ReasoningStatus } from "../../../shared/contract/reasoning.ts";
import type { RunStatus, Task } from "../../../shared/contract/team.ts";
import type { CallOutcome, RequestedCall } from "../calls/call-outcome.ts";
import type { Reply } from "../context/reply.ts";
import type { ToolStep } from "../context/tool-step.ts";
import type { ContextItem, ModelCall, ModelProgress } from "../model.ts";

/** How a turn came out. */
export type TurnOutcome =
  | { readonly kind: "reply"; readonly reply: Reply }
  /** Some of its calls wait for the user; the turn continues when they are answered. */
  | { readonly kind: "awaitingTools" }
  /** It is the turn of a user participant, of this team or of one within it; the turn continues with what the user says. */
  | { readonly kind: "awaitingUser"; readonly participant: string; readonly through?: readonly string[] }
  /** A nested team has paused by itself (its budget is used up); the turn is taken again when the run continues. */
  | { readonly kind: "paused"; readonly stopReason: string | null; readonly status: RunStatus }
  | { readonly kind: "interrupted" };

/** One participant's turn: what it is shown, and what it can do. */
export interface Turn {
  readonly id: string;
  /** What its model is shown. */
  readonly items: readonly ContextItem[];
  /** What it has asked of tools in this turn before: there are such steps when a turn continues. */
  readonly steps: readonly ToolStep[];
  /** How far its model had come when the turn began, or went on. */
  readonly progress: ModelProgress;
  /** What it has noted for itself. */
  readonly notes: readonly string[];
  /** The whole thread, for participants that are code. */
  readonly thread: readonly ChatMessage[];
  /** What the user says in the place of the user participant for whom the turn has waited. */
  readonly userInput?: Task | undefined;
  /**
   * Aborted by an interrupt: the turn then returns `interrupted` as soon as it can. What it has streamed is kept by the
   * team.
   */
  readonly signal: AbortSignal;
  /**
   * Aborted by an interrupt that lets the model step, or the tools, in progress end: the turn then begins no other, and
   * returns `interrupted`.
   */
  readonly soft: AbortSignal;
  /** Tells of what happens in the turn. After an interrupt nothing is told any more. */
  emit(draft: EventDraft): void;
  /** Names the calls that a model asked for: with the model's own ids where they are new to the team. */
  nameCalls(calls: readonly ModelCall[]): RequestedCall[];
  /** Runs the calls at once, each to its own outcome, in the order of the calls. */
  runCalls(calls: readonly RequestedCall[]): Promise<CallOutcome[]>;
}

/** Someone who takes turns in a team. */
export interface Participant {
  readonly name: string;
  /**
   * Takes one turn, or continues with one whose calls have been answered. What it throws ends the run with status `error`.
   */
  takeTurn(turn: Turn): Promise<TurnOutcome>;
  /** Called once the message of a turn that it has finished stands. */
  onConcluded?(): void;
  /**
   * Answers for itself when its reasoning is interrupted (seed 004), and then does what it has answered: `stopping` and
   * `completing_thought` abort the turn's `soft` signal. Where it answers nothing, the reason decides. Without an answer
   * within 30 s the turn is stopped by force.
   */
  onReasoningInterrupt?(request: ReasoningRequest): ReasoningAnswer | Promise<ReasoningAnswer>;
}

export type ReasoningAnswer = ReasoningStatus | undefined;
