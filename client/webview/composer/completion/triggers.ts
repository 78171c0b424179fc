import { type Mention, mentionAt } from "../mentions.ts";

/** What is being typed at the caret that a list can complete. */
export type Trigger =
  | ({ readonly kind: "mention" } & Mention)
  | { readonly kind: "context" | "command"; readonly start: number; readonly typed: string };

/** The trigger at the caret: `/` and `@` at the start of the draft, `#` at the start of a word. Null when there is none. */
export function triggerAt(draft: string, caret: number): Trigger | null {
  const before = draft.slice(0, caret);
  const mention = mentionAt(draft, caret);
  if (mention !== null) return { kind: "mention", ...mention };
  const command = /^\/([^\s/]*)$/.exec(before);
  if (command !== null) return { kind: "command", start: 0, typed: command[1] ?? "" };
  const context = /(?:^|[\s(])#([^\s#]*)$/.exec(before);
  if (context === null) return null;
  const typed = context[1] ?? "";
  return { kind: "context", start: caret - typed.length - 1, typed };
}

/** The draft with what is typed replaced, and where the caret is then. */
export function replaced(draft: string, { start, typed }: Trigger, by: string): { text: string; caret: number } {
  const rest = draft.slice(start + 1 + typed.length);
  const gap = by === "" || /^\s/.test(rest) ? "" : " ";
  return { text: draft.slice(0, start) + by + gap + rest, caret: start + by.length + gap.length };
}
