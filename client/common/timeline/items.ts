import type { CommandEnd } from "../../../shared/contract/background-command.ts";
import type { CommandExit } from "../../../shared/contract/command-exit.ts";
import type { ContextSummary } from "../../../shared/contract/context.ts";
import type { ChatMessageType, ContentPart, Usage } from "../../../shared/contract/message.ts";
import type { ChosenModel, ModelInfo } from "../../../shared/contract/model-choice.ts";
import type { ParticipantChange } from "../../../shared/contract/participant-change.ts";
import type { Role } from "../../../shared/contract/people.ts";
import type { ReasoningReason, ReasoningStatus } from "../../../shared/contract/reasoning.ts";
import type { Kept } from "../../../shared/contract/stopped.ts";
import type { Grace, InterruptScope, RunStatus, Severity, ToolCall } from "../../../shared/contract/team.ts";

interface Item<K extends string> {
  readonly kind: K;
  /** Stays the same for as long as the team exists: the page keeps scroll position, expansion and height by it. */
  readonly key: string;
  readonly at: string;
}

/** A message. `text` grows while it streams. */
export interface MessageItem extends Item<"message"> {
  readonly source: string;
  readonly type: ChatMessageType;
  readonly text: string;
  readonly state: "streaming" | "complete" | "partial";
  /** The user edited this partial message. */
  readonly edited?: true;
  /** The participant that a user's message was addressed to. */
  readonly to?: string;
  /** No other participant sees it. */
  readonly onlyTarget?: true;
  /** It came while a run was in progress, so that there is no checkpoint before it. */
  readonly withinRun?: true;
  /** The text and the images of a message that has images. */
  readonly parts?: readonly ContentPart[];
  /** The value of a structured message; `text` is its JSON. */
  readonly data?: unknown;
  readonly usage?: Usage;
  /** What wrote it. */
  readonly model?: ModelInfo;
}

type CallState = "requested" | "running" | "waiting" | "succeeded" | "failed" | "denied" | "interrupted" | "abandoned";

/** One tool call, from the model's request to its result. */
export interface CallView extends ToolCall {
  readonly state: CallState;
  /** The end of what its tool has printed so far, at most {@link LIVE_OUTPUT_LIMIT} characters. */
  readonly live?: string;
  readonly output?: unknown;
  /** How the command that it ran has ended. */
  readonly exit?: CommandExit;
  /** What its tool asks the user. */
  readonly interrupt?: unknown;
  /** It needs the user's approval to run. */
  readonly approval?: true;
  /** Why it needs approval, as a sentence, when it is more than its tool's declaration. */
  readonly reason?: string;
  /** Why it ran without asking the user, as a sentence. */
  readonly approved?: string;
  /** It has run, and its result waits for the user's review. */
  readonly review?: true;
  /** What the user did with its result. */
  readonly reviewed?: "sent" | "edited" | "withheld";
  /** The result that the model has not seen, as the user edited or withheld it. */
  readonly original?: unknown;
  /** What users have approved of it, of the several approvals that it needs, and who. */
  readonly approvedBy?: {
    readonly how: "restart" | "respond";
    readonly value: unknown;
    readonly by: readonly string[];
  };
  readonly decision?: {
    readonly how: "respond" | "restart" | "deny";
    readonly by: string;
    readonly reason?: string;
    readonly edited?: true;
  };
}

/** How many characters of a running tool's output are kept. */
export const LIVE_OUTPUT_LIMIT = 20_000;

/** The calls of one request of a model. */
export interface ToolsItem extends Item<"tools"> {
  readonly source: string;
  readonly calls: readonly CallView[];
}

export interface ThoughtItem extends Item<"thought"> {
  readonly source: string;
  readonly text: string;
  /** `streaming` while the model thinks it, `ended` from then until it is recorded as a whole. */
  readonly live?: "streaming" | "ended";
}

export interface HandoffItem extends Item<"handoff"> {
  readonly from: string;
  readonly to?: string;
  readonly text?: string;
  /** The tool calls that were passed on with it, as the message's metadata has them. */
  readonly context?: readonly unknown[];
}

/** An interrupt, from the request to its receipt. */
export interface InterruptItem extends Item<"interrupt"> {
  readonly by: string;
  /** A rule of the team requested it. */
  readonly rule?: true;
  readonly reason?: string;
  readonly severity: Severity;
  readonly state: "requested" | "acknowledged" | "completed";
  readonly grace: Grace;
  /** What it stops; the whole team if left out. */
  readonly scope?: InterruptScope | undefined;
  /** The participants it stopped, with the path to those in nested teams. */
  readonly speakers: readonly string[];
  readonly message?: string;
  /** The partial messages that were kept. */
  readonly partials: readonly { readonly source: string; readonly words: number }[];
  readonly tools: readonly InterruptedTool[];
  /** The waiting calls that it cancelled. */
  readonly cancelled: readonly { readonly name: string; readonly participant: string }[];
  /** What the team had when nothing was running any more. */
  readonly kept?: Kept;
  /** Milliseconds from the request until nothing new could start, and until nothing was running. */
  readonly took?: { readonly acknowledged: number; readonly quiesced: number };
}

/** A tool that an interrupt stopped: it only reads, it may have had effects, or it did not stop in time. */
export interface InterruptedTool {
  readonly name: string;
  /** Whose call it was, with the path to a nested team. */
  readonly participant: string;
  readonly outcome: "stopped" | "effects" | "abandoned";
}

export interface RunEndItem extends Item<"runEnd"> {
  readonly stopReason: string | null;
  /** Who said last what ended the run, or whatever was said last. */
  readonly speaker?: string;
  readonly status: RunStatus;
  /** What the run used. */
  readonly usage: Usage;
}

/** A model request that is retried; further retries of the same participant update the same item. */
export interface RetryItem extends Item<"retry"> {
  readonly source: string;
  readonly attempt: number;
  readonly waitMs: number;
  readonly reason: string;
  readonly status?: number;
  /** It is no longer waiting. */
  readonly over: boolean;
}

/** A model could not answer, and another one was asked instead. */
export interface FallbackItem extends Item<"fallback"> {
  readonly participant: string;
  readonly from: ModelInfo;
  readonly to: ModelInfo;
  readonly reason: string;
}

/** A participant's context was summarized, or the user asked for that or undid it. */
export interface ContextItem extends Item<"context"> {
  readonly participant: string;
  readonly change: "summarized" | "restored" | "requested";
  /** The summary, and the size of what the model is shown before and after, in tokens. */
  readonly summary?: ContextSummary;
  readonly tokens?: { readonly before: number; readonly after: number };
}

export interface ErrorItem extends Item<"error"> {
  /** Whose turn failed. */
  readonly participant?: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A request to participants to stop reasoning, and what each answered. */
export interface ReasoningItem extends Item<"reasoning"> {
  readonly from: string;
  readonly to: readonly string[];
  readonly reason: ReasoningReason;
  readonly message?: string | undefined;
  readonly answers: readonly { readonly from: string; readonly status: ReasoningStatus }[];
}

export interface NoteItem extends Item<"note"> {
  readonly note: "continued" | "reset" | "loaded" | "restored";
}

/** The user chose a model, for a participant or for the whole team. */
export interface ModelItem extends Item<"model"> {
  readonly participant?: string;
  /** Null when the user went back to what the team file says. */
  readonly model: ChosenModel | null;
}

/** The user changed who takes part. */
export interface ParticipantsItem extends Item<"participants"> {
  readonly by: string;
  readonly changes: readonly ParticipantChange[];
  /** The participants that lead to the nested team whose participants were changed. */
  readonly within?: readonly string[];
}

/** What changed about the users of the team, and what they may do. */
export type PeopleChange =
  /** Somebody has a role from now on; without `user`, those who open the team for the first time. */
  | { readonly what: "role"; readonly user?: string; readonly role: Role; readonly taken?: true }
  | { readonly what: "approvers"; readonly required: number; readonly from?: readonly string[] }
  /** One of the approvals that a call needs. */
  | {
      readonly what: "approval";
      readonly ref: string;
      readonly name: string;
      readonly how: "restart" | "respond";
      readonly count: number;
      readonly required: number;
    };

/** A user changed roles or approvers, or gave one of several approvals. */
export interface PeopleItem extends Item<"people"> {
  readonly by: string;
  readonly change: PeopleChange;
}

/** A background command has ended, after the call that started it. */
export interface CommandItem extends Item<"command"> {
  readonly id: string;
  readonly command: string;
  readonly end: CommandEnd;
}

/**
 * The conversation of a participant's nested team in one turn of that participant.
 * A continued turn has an item for each part.
 */
export interface TeamItem extends Item<"team"> {
  readonly source: string;
  /**
   * `answered` when the participant has answered, `paused` while the run waits for the user to speak or to extend a budget,
   * `stopped` when it was interrupted.
   */
  readonly state: "working" | "paused" | "answered" | "stopped";
  readonly items: readonly TimelineItem[];
}

/** One item of the chat. */
export type TimelineItem =
  | MessageItem
  | ToolsItem
  | ThoughtItem
  | HandoffItem
  | InterruptItem
  | RunEndItem
  | RetryItem
  | FallbackItem
  | ContextItem
  | ErrorItem
  | NoteItem
  | ModelItem
  | ParticipantsItem
  | PeopleItem
  | CommandItem
  | ReasoningItem
  | TeamItem;

/** The participant that an item belongs to; null for events of the whole team. */
export function speakerOf(item: TimelineItem): string | null {
  switch (item.kind) {
    case "message":
    case "tools":
    case "thought":
    case "retry":
    case "team":
      return item.source;
    case "handoff":
    case "interrupt":
    case "reasoning":
    case "runEnd":
    case "error":
    case "note":
    case "model":
    case "fallback":
    case "context":
    case "participants":
    case "people":
    case "command":
      return null;
  }
}
