import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { TranscriptEntry } from "../../../shared/contract/saved-state.ts";
import type { ContextItem } from "../model.ts";
import { handoffTarget } from "./handoff-message.ts";
import { AWAITING_DECISION } from "./item-groups.ts";
import { messageItem, othersItem } from "./message-item.ts";
import { itemTokens, outputTokens } from "./tokens.ts";
import { stepItems } from "./tool-step.ts";
import { toolStepOf } from "./transcript-groups.ts";
import { isHidden } from "./user-message.ts";

/** How many items a conversation has for a participant, and their estimated tokens. */
export interface ContextSize {
  readonly items: number;
  readonly tokens: number;
}

/** {@link ContextTotals} as JSON. */
export interface StoredTotals {
  readonly everyone: ContextSize;
  readonly own: readonly (readonly [participant: string, ContextSize])[];
  readonly open: readonly (readonly [ref: string, participant: string])[];
  readonly isExact: boolean;
}

const NONE: ContextSize = { items: 0, tokens: 0 };

/**
 * The size of the whole conversation as each participant sees it, without the conversation itself: each entry is added in a
 * time that does not depend on those before it.
 */
export class ContextTotals {
  /** For a participant that said nothing and that nothing was sent to. */
  #everyone: ContextSize;
  /** What is to be added to that, by participant. */
  readonly #own: Map<string, ContextSize>;
  /** The calls without a result, with their participants. */
  readonly #open: Map<string, string>;
  #isExact: boolean;

  constructor({ everyone, own, open, isExact }: StoredTotals = { everyone: NONE, own: [], open: [], isExact: true }) {
    this.#everyone = everyone;
    this.#own = new Map(own);
    this.#open = new Map(open);
    this.#isExact = isExact;
  }

  /** Undefined when it cannot be known from the entries that were added. */
  sizeFor(participant: string): ContextSize | undefined {
    return this.#isExact ? sum(this.#everyone, this.#own.get(participant) ?? NONE) : undefined;
  }

  /** The refs of the calls without a result. */
  get open(): Iterable<string> {
    return this.#open.keys();
  }

  /** @returns the tokens that were counted for it. */
  add(entry: TranscriptEntry): number {
    if (entry.kind === "message") return this.#count(entry.message, 1);
    if (entry.kind === "calls") {
      const size = sizeOf(stepItems(toolStepOf(entry, new Map())));
      this.#addOwn(entry.participant, size);
      for (const { ref } of entry.calls) this.#open.set(ref, entry.participant);
      return size.tokens;
    }
    const participant = this.#open.get(entry.ref);
    const tokens = outputTokens(entry.output);
    if (participant === undefined) this.#isExact = false;
    else this.#addOwn(participant, { items: 0, tokens: tokens - outputTokens(AWAITING_DECISION) });
    this.#open.delete(entry.ref);
    return tokens;
  }

  /** Replaces a message; removes it without `next`. The message before is undefined if it is not known. */
  replace(message: ChatMessage | undefined, next?: ChatMessage): void {
    if (message === undefined) this.#isExact = false;
    else this.#count(message, -1);
    if (next !== undefined) this.#count(next, 1);
  }

  toJSON(): StoredTotals {
    return { everyone: this.#everyone, own: [...this.#own], open: [...this.#open], isExact: this.#isExact };
  }

  #count(message: ChatMessage, sign: 1 | -1): number {
    const target = message.metadata?.["to"];
    if (isHidden(message)) {
      const seen = typeof target === "string" ? seenBy(message, target) : NONE;
      if (typeof target === "string") this.#addOwn(target, times(sign, seen));
      return seen.tokens;
    }
    const others = sizeOf([othersItem(message)]);
    this.#everyone = sum(this.#everyone, times(sign, others));
    for (const participant of new Set([message.source, handoffTarget(message)])) {
      if (participant === undefined) continue;
      this.#addOwn(participant, times(sign, sum(seenBy(message, participant), times(-1, others))));
    }
    return others.tokens;
  }

  #addOwn(participant: string, size: ContextSize): void {
    this.#own.set(participant, sum(this.#own.get(participant) ?? NONE, size));
  }
}

function seenBy(message: ChatMessage, participant: string): ContextSize {
  const item = messageItem(message, participant);
  return item === undefined ? NONE : sizeOf([item]);
}

/** The size of items that are known. */
export const sizeOf = (items: readonly ContextItem[]): ContextSize => ({
  items: items.length,
  tokens: items.reduce((tokens, item) => tokens + itemTokens(item), 0),
});

const sum = (a: ContextSize, b: ContextSize): ContextSize => ({
  items: a.items + b.items,
  tokens: a.tokens + b.tokens,
});

const times = (factor: 1 | -1, { items, tokens }: ContextSize): ContextSize => ({
  items: factor * items,
  tokens: factor * tokens,
});
