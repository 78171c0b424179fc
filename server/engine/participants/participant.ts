import type { EventDraft } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { ContextItem, ModelCall } from "../model.ts";

/** A message before it has its time and source; `id` is that of its chunks, where it was streamed. */
export type Reply = Pick<ChatMessage, "type" | "content" | "usage" | "metadata"> & { readonly id?: string };

/** How a turn came out. */
export type TurnOutcome =
  | { readonly kind: "reply"; readonly reply: Reply }
  /** Some of its calls wait for the user; the turn goes on when they are answered. */
  | { readonly kind: "awaitingTools" }
  | { readonly kind: "interrupted" };

/** What came of one tool call. */
export type CallOutcome =
  | { readonly kind: "done"; readonly ref: string; readonly output: unknown; readonly isError: boolean }
  | { readonly kind: "pending"; readonly ref: string }
  | { readonly kind: "interrupted"; readonly ref: string };

/** A call as it is about to be made. */
export interface RequestedCall {
  readonly ref: string;
  readonly name: string;
  readonly input: unknown;
  /** Why the input is no JSON, in which case it is the text that the model gave. */
  readonly malformed?: string;
}

/** One participant's turn: what it is shown, and what it can do. */
export interface Turn {
  readonly id: string;
  /** What its model is shown. */
  readonly items: readonly ContextItem[];
  /** The whole thread, for participants that are code. */
  readonly thread: readonly ChatMessage[];
  /** Aborted by an interrupt: the turn then returns `interrupted` as soon as it can. What it has streamed is kept by the team. */
  readonly signal: AbortSignal;
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
  /** Takes one turn, or goes on with one whose calls have been answered. What it throws ends the run with status `error`. */
  takeTurn(turn: Turn): Promise<TurnOutcome>;
}
