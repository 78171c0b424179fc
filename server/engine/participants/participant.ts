import type { BackgroundCommand } from "../../../shared/contract/background-command.ts";
import type { ContextState, ContextSummary } from "../../../shared/contract/context.ts";
import type { EventDraft, TeamEvent } from "../../../shared/contract/event.ts";
import type { ChatMessage, Usage } from "../../../shared/contract/message.ts";
import type { Plan } from "../../../shared/contract/plan.ts";
import type { ReasoningRequest, ReasoningStatus } from "../../../shared/contract/reasoning.ts";
import type { RunStatus, Task } from "../../../shared/contract/team.ts";
import type { CallOutcome, RequestedCall } from "../calls/call-outcome.ts";
import type { ExecutableCall } from "../calls/tool-executor.ts";
import type { OlderPart, PartSizes } from "../context/older-part.ts";
import type { Reply } from "../context/reply.ts";
import type { ToolStep } from "../context/tool-step.ts";
import type { ContextItem, ModelCall, ModelProgress } from "../model.ts";
import type { Tool } from "../tool.ts";

/** The outcome of a turn. */
export type TurnOutcome =
  | { readonly kind: "reply"; readonly reply: Reply }
  /** Some of its calls wait for the user. The turn continues when they are answered. */
  | { readonly kind: "awaitingTools" }
  /** The turn of a user participant, of this team or a nested one. The turn continues with the user's message. */
  | { readonly kind: "awaitingUser"; readonly participant: string; readonly through?: readonly string[] }
  /** A nested team paused itself, as its budget is used up. The turn is taken again when the run continues. */
  | { readonly kind: "paused"; readonly stopReason: string | null; readonly status: RunStatus }
  /**
   * A participant of a nested team has answered the user's message to it. `stop`: a condition within ended the nested run.
   */
  | { readonly kind: "answered"; readonly stop?: { readonly stopReason: string | null; readonly status: RunStatus } }
  /** It ended before its time, not by an interrupt: what it has said is kept, and the run goes on. `message` says why. */
  | { readonly kind: "cutShort"; readonly message: string }
  /** `note`: what the user has to know about how it stopped, as a sentence. */
  | { readonly kind: "interrupted"; readonly note?: string };

/** What the user says in the turn of a user participant, and who speaks next if the user chose. */
export interface UserInput {
  readonly task: Task;
  readonly handoff?: string;
}

/** An event that a turn reports itself; calls are requested with `requestCalls`. */
export type TurnDraft = Exclude<EventDraft, { type: "tool/requested" }>;

/** A model's answer that requests tools. */
export interface RequestingAnswer {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly usage: Usage | undefined;
}

/** A summary that a participant's model wrote. `tokens`: of the request without and with it, estimated. */
export interface WrittenSummary extends ContextSummary {
  readonly tokens: { readonly before: number; readonly after: number };
}

/** One turn of a participant: what it sees, and what it can do. */
export interface Turn {
  readonly id: string;
  /** In a nested team: the talk before, with which `items` begin. */
  readonly earlier: readonly ContextItem[];
  /** The items that its model is shown. */
  readonly items: readonly ContextItem[];
  /** The earlier steps of this turn, if the turn continues. */
  readonly steps: readonly ToolStep[];
  /** The progress of its model when the turn started or continued. */
  readonly progress: ModelProgress;
  /** The participant's own notes. */
  readonly notes: readonly string[];
  /** Its plan as it is now: the user may edit it during the turn. */
  readonly plan?: Plan | undefined;
  /** The background commands of the whole team. */
  readonly commands?: readonly BackgroundCommand[] | undefined;
  /** What became of its context, if it was summarized. */
  readonly context?: ContextState | undefined;
  /** The whole thread, for participants that are code. */
  readonly thread: readonly ChatMessage[];
  /** The user's message, for a turn that waited for a user participant. */
  readonly userInput?: UserInput | undefined;
  /** For a nested team: one of its participants answers a message of the user, and nothing else happens. */
  readonly answersWithin?: boolean | undefined;
  /**
   * Aborted by an interrupt. The turn then returns `interrupted` as soon as possible; the team keeps what it has streamed.
   */
  readonly signal: AbortSignal;
  /**
   * Aborted by an interrupt that lets the current model request or tool calls finish. The turn then starts nothing new, and
   * returns `interrupted`.
   */
  readonly soft: AbortSignal;
  /** Reports an event of the turn. Has no effect after an interrupt. */
  emit(draft: TurnDraft): void;
  /**
   * Records the calls of a model's answer. Each gets a ref, which is unique in the whole tree, whatever id the model gave.
   * Resolves with undefined after an interrupt: no call may run then.
   */
  requestCalls(answer: RequestingAnswer): Promise<readonly RequestedCall[] | undefined>;
  /**
   * The older part of its own conversation, the steps of this turn included, for a summary. Undefined where there is none.
   * @throws GavelError `ModelError` when it is too long to be read.
   */
  olderPart(sizes: PartSizes): Promise<OlderPart | undefined>;
  /**
   * Records that a summary stands for that part from here on. Returns the items that its model is shown then; undefined
   * after an interrupt, or when the user has undone a summary since the part was read: nothing is recorded then.
   */
  recordSummary(summary: WrittenSummary): Promise<readonly ContextItem[] | undefined>;
  /** Runs the calls in parallel, and returns their outcomes in the order of the calls. */
  runCalls(calls: readonly ExecutableCall[]): Promise<CallOutcome[]>;
}

/** A member of a team that takes turns. */
export interface Participant {
  readonly name: string;
  /** Its own tools, beside those that its definition names: what its turns may request. */
  readonly tools?: readonly Tool[];
  /** Takes one turn, or continues one after its calls were answered. What it throws ends the run with status `error`. */
  takeTurn(turn: Turn): Promise<TurnOutcome>;
  /** Called when the message of its finished turn is in the thread. */
  onConcluded?(): void;
  /** Called with each event of its team. */
  onEvent?(event: TeamEvent): void;
  /**
   * Decides itself what happens when its reasoning is interrupted (the MEW reasoning interruption design, DECISIONS.md):
   * `stopping` and `completing_thought` abort the turn's `soft` signal. If it returns undefined, the reason decides. Without
   * an answer within 30 s the turn is stopped by force.
   */
  onReasoningInterrupt?(request: ReasoningRequest): ReasoningAnswer | Promise<ReasoningAnswer>;
}

export type ReasoningAnswer = ReasoningStatus | undefined;
