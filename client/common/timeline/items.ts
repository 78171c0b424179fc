import type { ChatMessageType, ContentPart, Usage } from "../../../shared/contract/message.ts";
import type { ReasoningReason, ReasoningStatus } from "../../../shared/contract/reasoning.ts";
import type { Kept } from "../../../shared/contract/stopped.ts";
import type { Grace, InterruptScope, RunStatus, Severity, ToolCall } from "../../../shared/contract/team.ts";

interface Item<K extends string> {
  readonly kind: K;
  /** Names the item for as long as the team lives, so that a page keeps its place, its folds and its measured height. */
  readonly key: string;
  readonly at: string;
}

/** What somebody says. `text` grows while it streams. */
export interface MessageItem extends Item<"message"> {
  readonly source: string;
  readonly type: ChatMessageType;
  readonly text: string;
  readonly state: "streaming" | "complete" | "partial";
  /** The user has written a partial message anew. */
  readonly edited?: true;
  /** The one participant that a user's message was for. */
  readonly to?: string;
  /** No other participant is shown it. */
  readonly onlyTarget?: true;
  /** The text and the images of a message that has images. */
  readonly parts?: readonly ContentPart[];
  /** What a structured message says; `text` is its JSON. */
  readonly data?: unknown;
  readonly usage?: Usage;
}

export type CallState =
  | "requested"
  | "running"
  | "waiting"
  | "succeeded"
  | "failed"
  | "denied"
  | "interrupted"
  | "abandoned";

/** One tool call, from the model's request to its result. */
export interface CallView extends ToolCall {
  readonly state: CallState;
  /** What its tool has printed so far, its end alone (see {@link LIVE_OUTPUT}). */
  readonly live?: string;
  readonly output?: unknown;
  /** What its tool asks of the user. */
  readonly interrupt?: unknown;
  /** It may not run before the user's yes. */
  readonly approval?: true;
  /** Why it ran without being put to the user, in a sentence. */
  readonly approved?: string;
  readonly ruling?: {
    readonly how: "respond" | "restart" | "deny";
    readonly by: string;
    readonly reason?: string;
    readonly edited?: true;
  };
}

/** How many characters of a running tool's output are kept. */
export const LIVE_OUTPUT = 20_000;

/** The calls of one request of a model. */
export interface ToolsItem extends Item<"tools"> {
  readonly source: string;
  readonly calls: readonly CallView[];
}

export interface ThoughtItem extends Item<"thought"> {
  readonly source: string;
  readonly text: string;
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
  readonly severity: Severity;
  readonly state: "requested" | "acknowledged" | "completed";
  readonly grace: Grace;
  /** What it was to stop; the whole team if left out. */
  readonly scope?: InterruptScope | undefined;
  /** Whom it stopped, with the way to those in nested teams. */
  readonly speakers: readonly string[];
  readonly message?: string;
  /** The cut-off messages that were kept. */
  readonly partials: readonly { readonly source: string; readonly words: number }[];
  readonly tools: readonly InterruptedTool[];
  /** What the team had when it was at rest. */
  readonly kept?: Kept;
  /** How long after the request nothing began any more, and nothing moved any more, in milliseconds. */
  readonly took?: { readonly acknowledged: number; readonly quiesced: number };
}

/** What became of a call's tool: it had only read, it may have had effects, or it did not stop in time. */
export interface InterruptedTool {
  readonly name: string;
  /** Whose call it was, with the way to it. */
  readonly participant: string;
  readonly fate: "cut" | "effects" | "abandoned";
}

export interface RunEndItem extends Item<"runEnd"> {
  readonly stopReason: string | null;
  readonly status: RunStatus;
  /** What the run used. */
  readonly usage: Usage;
}

/** A model request that is tried again; further tries of the same participant are told in the same item. */
export interface RetryItem extends Item<"retry"> {
  readonly source: string;
  readonly attempt: number;
  readonly waitMs: number;
  readonly reason: string;
  readonly status?: number;
  /** It is no longer waiting. */
  readonly over: boolean;
}

export interface ErrorItem extends Item<"error"> {
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Somebody asked participants to interrupt their reasoning, and what each answered. */
export interface ReasoningItem extends Item<"reasoning"> {
  readonly from: string;
  readonly to: readonly string[];
  readonly reason: ReasoningReason;
  readonly message?: string | undefined;
  readonly answers: readonly { readonly from: string; readonly status: ReasoningStatus }[];
}

export interface NoteItem extends Item<"note"> {
  readonly note: "continued" | "reset" | "loaded";
}

/**
 * What the team within a participant says to itself in one turn of that participant. A turn that was cut short and goes on
 * later has one for each of its parts.
 */
export interface TeamItem extends Item<"team"> {
  readonly source: string;
  /**
   * `answered` when the participant has told what came of it, `paused` when the run waits for the user to speak or to grant a
   * budget once more, `stopped` when it was cut short.
   */
  readonly state: "working" | "paused" | "answered" | "stopped";
  readonly items: readonly TimelineItem[];
}

/** One thing that the chat shows, in order. */
export type TimelineItem =
  | MessageItem
  | ToolsItem
  | ThoughtItem
  | HandoffItem
  | InterruptItem
  | RunEndItem
  | RetryItem
  | ErrorItem
  | NoteItem
  | ReasoningItem
  | TeamItem;

/** Who an item belongs to; null for what happens to the team as a whole. */
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
      return null;
  }
}
