import type { ChatMessage } from "../../../shared/contract/message.ts";
import { textOf } from "../../../shared/contract/message-text.ts";
import type { TranscriptEntry } from "../../../shared/contract/saved-state.ts";
import type { ModelProgress } from "../model.ts";

/** The progress of a participant that has said nothing. */
export const NO_PROGRESS: ModelProgress = {
  talk: { steps: 0, said: "" },
  asked: { steps: 0, said: "" },
  isAsked: false,
  cutAfter: 0,
};

/**
 * The progress after one more complete answer. A message answers a pending question; a batch of calls does not answer it
 * yet.
 */
export function afterAnswer(progress: ModelProgress, kind: "message" | "calls"): ModelProgress {
  const { talk, asked, isAsked } = progress;
  if (!isAsked) return { ...progress, talk: { steps: talk.steps + 1, said: "" } };
  return { ...progress, asked: { steps: asked.steps + 1, said: "" }, isAsked: kind === "calls" };
}

/** The progress after one more part of an interrupted answer. */
export function afterPartial(progress: ModelProgress, text: string): ModelProgress {
  const { talk, asked, isAsked } = progress;
  if (isAsked) return { ...progress, asked: { ...asked, said: asked.said + text } };
  return { ...progress, talk: { ...talk, said: talk.said + text }, cutAfter: asked.steps };
}

/** Tracks the progress of each model of a team, from all messages and calls. Each entry is processed in constant time. */
export class ModelProgressTracker {
  readonly #progress = new Map<string, ModelProgress>();
  /** The addressee of the last message, until it has answered. */
  #asked: string | undefined;

  progressOf(name: string): ModelProgress {
    const progress = this.#progress.get(name) ?? NO_PROGRESS;
    return { ...progress, isAsked: this.#asked === name };
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
    const { talk, asked } = progress;
    const text = textOf(partial);
    const rewritten = <S extends { readonly said: string }>(step: S): S => {
      const at = step.said.lastIndexOf(text);
      return { ...step, said: step.said.slice(0, at) + content + step.said.slice(at + text.length) };
    };
    if (asked.said.includes(text)) this.#progress.set(partial.source, { ...progress, asked: rewritten(asked) });
    else if (talk.said.includes(text)) this.#progress.set(partial.source, { ...progress, talk: rewritten(talk) });
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
