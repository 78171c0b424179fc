import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { ContextItem } from "../engine/index.ts";
import type { ToldRecord } from "./told-record.ts";

/** The conversation as a participant's turn has it; `earlier` is the talk before, in a nested team. */
export interface Conversation {
  readonly earlier: readonly ContextItem[];
  readonly own: readonly ContextItem[];
}

/** What is new to a session that has been told the rest. */
export interface News {
  readonly items: readonly ContextItem[];
  /** The end of its own last message, if an interrupt cut that short. */
  readonly cutAfter: string | undefined;
}

/**
 * What a session knows of the conversation. An agent keeps its own memory, so it is told only what it has not seen;
 * where that memory no longer agrees with the conversation, as after an edit, a reset or a checkpoint, a new session is
 * told all of it.
 */
export class Told {
  #earlier: readonly string[];
  #own: readonly string[];
  #said: string;

  constructor({ earlier, own, said }: ToldRecord = { earlier: [], own: [], said: "" }) {
    this.#earlier = earlier;
    this.#own = own;
    this.#said = said;
  }

  get record(): ToldRecord {
    return { earlier: [...this.#earlier], own: [...this.#own], said: this.#said };
  }

  /** Undefined if the session remembers something else than the conversation has. */
  news({ earlier, own }: Conversation): News | undefined {
    const before = this.#newOf(earlier, this.#earlier);
    const after = this.#newOf(own, this.#own);
    if (before === undefined || after === undefined) return undefined;
    const firstOther = after.findIndex(({ role }) => role === "user");
    const mine = firstOther < 0 ? after : after.slice(0, firstOther);
    const others = firstOther < 0 ? [] : after.slice(firstOther);
    const said = mine.map((item) => (item.role === "assistant" ? item.content : "")).join("");
    if (said !== this.#said || others.some(({ role }) => role !== "user")) return undefined;
    const last = mine.findLast((item) => item.role === "assistant");
    const isCut = last?.role === "assistant" && last.partial === true;
    return { items: [...before, ...others], cutAfter: isCut ? last.content.slice(-200) : undefined };
  }

  /** What it has said since it was told all of this; undefined if anything else has happened since. */
  saidSince(conversation: Conversation): string | undefined {
    const before = this.#newOf(conversation.earlier, this.#earlier);
    const after = this.#newOf(conversation.own, this.#own);
    if (before?.length !== 0 || after === undefined || after.some(({ role }) => role === "user")) return undefined;
    return after.map((item) => (item.role === "assistant" ? item.content : "")).join("");
  }

  /** The session is told all of this now. */
  tell({ earlier, own }: Conversation): void {
    this.#earlier = earlier.map(digestOf);
    this.#own = own.map(digestOf);
    this.#said = "";
  }

  /** It says this to the conversation. */
  say(text: string): void {
    this.#said += text;
  }

  /** What it has said last is not in the conversation as it sees it. */
  unsay(text: string): void {
    if (text !== "" && this.#said.endsWith(text)) this.#said = this.#said.slice(0, -text.length);
  }

  #newOf(items: readonly ContextItem[], known: readonly string[]): readonly ContextItem[] | undefined {
    if (items.length < known.length) return undefined;
    const isSame = isDeepStrictEqual(items.slice(0, known.length).map(digestOf), known);
    return isSame ? items.slice(known.length) : undefined;
  }
}

/** Of a tool's result only which call it is of: it may come late. */
function digestOf(item: ContextItem): string {
  const what =
    item.role === "tool"
      ? [item.role, item.ref]
      : item.role === "assistant"
        ? [item.role, item.content, item.calls.map(({ ref }) => ref)]
        : [item.role, item.source, item.content];
  return createHash("sha256").update(JSON.stringify(what)).digest("base64url").slice(0, 16);
}
