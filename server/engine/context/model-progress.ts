import type { ChatMessage } from "../../../shared/contract/message.ts";
import { textOf } from "../../../shared/contract/message-text.ts";
import type { TranscriptEntry } from "../../../shared/contract/saved-state.ts";
import type { ModelProgress } from "../model.ts";

/** The progress of a participant that has said nothing. */
export const NO_PROGRESS: ModelProgress = {
  conversation: { answers: 0, partialText: "" },
  directed: { answers: 0, partialText: "" },
  isDirected: false,
  interruptedAfter: 0,
};

/**
 * The progress after one more complete answer. A message answers a pending question; a batch of calls does not answer it
 * yet.
 */
export function afterAnswer(progress: ModelProgress, kind: "message" | "calls"): ModelProgress {
  const { conversation, directed, isDirected } = progress;
  if (!isDirected) return { ...progress, conversation: { answers: conversation.answers + 1, partialText: "" } };
  return { ...progress, directed: { answers: directed.answers + 1, partialText: "" }, isDirected: kind === "calls" };
}

/** The progress after one more part of an interrupted answer. */
export function afterPartial(progress: ModelProgress, text: string): ModelProgress {
  const { conversation, directed, isDirected } = progress;
  if (isDirected) return { ...progress, directed: { ...directed, partialText: directed.partialText + text } };
  return {
    ...progress,
    conversation: { ...conversation, partialText: conversation.partialText + text },
    interruptedAfter: directed.answers,
  };
}

/** {@link ModelProgressTracker} as JSON. */
export interface StoredProgress {
  readonly progress: readonly (readonly [name: string, ModelProgress])[];
  readonly asked?: string | undefined;
}

/** Tracks the progress of each model of a team, from all messages and calls. Each entry is processed in constant time. */
export class ModelProgressTracker {
  readonly #progress: Map<string, ModelProgress>;
  /** The addressee of the last message, until it has answered. */
  #asked: string | undefined;

  constructor(stored?: StoredProgress) {
    this.#progress = new Map(stored?.progress);
    this.#asked = stored?.asked;
  }

  progressOf(name: string): ModelProgress {
    const progress = this.#progress.get(name) ?? NO_PROGRESS;
    return { ...progress, isDirected: this.#asked === name };
  }

  add(entry: TranscriptEntry): void {
    if (entry.kind === "calls")
      this.#progress.set(entry.participant, afterAnswer(this.progressOf(entry.participant), "calls"));
    else if (entry.kind === "message") this.#say(entry.message);
  }

  /** Replaces the text of an interrupted answer. Has no effect once there is a complete answer. */
  rewrite(partial: ChatMessage, content: string): void {
    const progress = this.#progress.get(partial.source);
    if (progress === undefined) return;
    const { conversation, directed } = progress;
    const text = textOf(partial);
    const rewritten = <S extends { readonly partialText: string }>(step: S): S => {
      const at = step.partialText.lastIndexOf(text);
      return {
        ...step,
        partialText: step.partialText.slice(0, at) + content + step.partialText.slice(at + text.length),
      };
    };
    if (directed.partialText.includes(text))
      this.#progress.set(partial.source, { ...progress, directed: rewritten(directed) });
    else if (conversation.partialText.includes(text))
      this.#progress.set(partial.source, { ...progress, conversation: rewritten(conversation) });
  }

  toJSON(): StoredProgress {
    return { progress: [...this.#progress], asked: this.#asked };
  }

  /** Adds answers that are not in the thread. */
  addUnseen(by: string, count = 1): void {
    for (let nth = 0; nth < count; nth++) this.#progress.set(by, afterAnswer(this.progressOf(by), "calls"));
  }

  #say(message: ChatMessage): void {
    const { source, partial, metadata } = message;
    const progress = this.progressOf(source);
    if (partial) this.#progress.set(source, afterPartial(progress, textOf(message)));
    else if (isAnswer(message)) this.#progress.set(source, afterAnswer(progress, "message"));
    if (partial && source === this.#asked) return;
    const to = metadata?.["to"];
    this.#asked = typeof to === "string" ? to : undefined;
  }
}

/** False for a message without a new model answer: the end of a turn that its tool calls caused. */
const isAnswer = ({ type }: ChatMessage): boolean => type !== "HandoffMessage" && type !== "ToolCallSummaryMessage";
