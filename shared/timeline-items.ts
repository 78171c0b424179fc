import type { ChatMessageType } from "./contract/message.ts";
import type { RunStatus, Severity, ToolCall } from "./contract/team.ts";

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
  /** The one participant that a user's message was for. */
  readonly to?: string;
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
}

/** An interrupt, from the request to its receipt. */
export interface InterruptItem extends Item<"interrupt"> {
  readonly by: string;
  readonly severity: Severity;
  readonly state: "requested" | "acknowledged" | "completed";
  /** Whom it stopped. */
  readonly speakers: readonly string[];
  readonly message?: string;
  /** How many words of cut-off messages were kept. */
  readonly keptWords: number;
  /** Tools that did not stop in time. */
  readonly abandoned: readonly string[];
}

export interface RunEndItem extends Item<"runEnd"> {
  readonly stopReason: string | null;
  readonly status: RunStatus;
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

/** A user's message that waits for its time. */
export interface QueuedItem extends Item<"queued"> {
  readonly to: string;
  readonly text: string;
  readonly delivery: "queue" | "steer";
}

export interface NoteItem extends Item<"note"> {
  readonly note: "continued" | "reset" | "loaded";
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
  | QueuedItem
  | NoteItem;

/** Who an item belongs to; null for what happens to the team as a whole. */
export function speakerOf(item: TimelineItem): string | null {
  switch (item.kind) {
    case "message":
    case "tools":
    case "thought":
    case "retry":
      return item.source;
    case "handoff":
    case "interrupt":
    case "runEnd":
    case "error":
    case "queued":
    case "note":
      return null;
  }
}
