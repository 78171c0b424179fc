/** What is being written, split into whom it is for and what it says. `@name` counts at the beginning alone. */
export function parseAddressee(
  draft: string,
  names: readonly string[],
): { readonly to: string | null; readonly text: string } {
  const text = draft.trim();
  const name = /^@([\p{L}\p{N}_-]+)[,:]?(?:\s+|$)/u.exec(text);
  const to = names.find((candidate) => candidate.toLowerCase() === name?.[1]?.toLowerCase());
  return name === null || to === undefined ? { to: null, text } : { to, text: text.slice(name[0].length).trim() };
}

/** The draft for this participant: in the place of whom it was for before. */
export function withAddressee(draft: string, to: string, names: readonly string[]): string {
  return `@${to} ${parseAddressee(draft, names).text}`;
}

/** The `@na…` that is being typed at the caret; null when none is. */
export interface Mention {
  readonly start: number;
  readonly typed: string;
}

/** Only the beginning of a draft addresses, so only there names are offered. */
export function mentionAt(draft: string, caret: number): Mention | null {
  const match = /^(\s*)@([\p{L}\p{N}_-]*)$/u.exec(draft.slice(0, caret));
  return match === null ? null : { start: match[1]?.length ?? 0, typed: match[2] ?? "" };
}

/** The names that what is typed can become: those that begin with it first, then those that hold it. */
export function mentionSuggestions(typed: string, names: readonly string[]): readonly string[] {
  const wanted = typed.toLowerCase();
  const begins = names.filter((name) => name.toLowerCase().startsWith(wanted));
  const holds = names.filter((name) => !begins.includes(name) && name.toLowerCase().includes(wanted));
  return [...begins, ...holds];
}

/** The draft with the mention completed. */
export function completeMention(draft: string, { start, typed }: Mention, name: string): string {
  const rest = draft.slice(start + 1 + typed.length).replace(/^\s+/, "");
  return `${draft.slice(0, start)}@${name} ${rest}`;
}
