/** Splits a draft into its addressee and text. `@name` counts only at the start. */
export function parseAddressee(
  draft: string,
  names: readonly string[],
): { readonly to: string | null; readonly text: string } {
  const text = draft.trim();
  const name = /^@([\p{L}\p{N}_/-]+)[,:]?(?:\s+|$)/u.exec(text);
  const to = names.find((candidate) => candidate.toLowerCase() === name?.[1]?.toLowerCase());
  return name === null || to === undefined ? { to: null, text } : { to, text: text.slice(name[0].length).trim() };
}

/** The draft addressed to a participant, in place of an earlier addressee. */
export function withAddressee(draft: string, to: string, names: readonly string[]): string {
  return `@${to} ${parseAddressee(draft, names).text}`;
}

/** The `@na…` that is being typed at the caret; null when none is. */
export interface Mention {
  readonly start: number;
  readonly typed: string;
}

/** The mention at the caret; only the start of a draft can have one. */
export function mentionAt(draft: string, caret: number): Mention | null {
  const match = /^(\s*)@([\p{L}\p{N}_/-]*)$/u.exec(draft.slice(0, caret));
  return match === null ? null : { start: match[1]?.length ?? 0, typed: match[2] ?? "" };
}

/** The names that match the typed text: first those that start with it, then those that contain it. */
export function mentionSuggestions(typed: string, names: readonly string[]): readonly string[] {
  const wanted = typed.toLowerCase();
  const starting = names.filter((name) => name.toLowerCase().startsWith(wanted));
  const containing = names.filter((name) => !starting.includes(name) && name.toLowerCase().includes(wanted));
  return [...starting, ...containing];
}

/** The draft with the mention completed. */
export function completeMention(draft: string, { start, typed }: Mention, name: string): string {
  const rest = draft.slice(start + 1 + typed.length).replace(/^\s+/, "");
  return `${draft.slice(0, start)}@${name} ${rest}`;
}
