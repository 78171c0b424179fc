import type { ChatMessage } from "../../shared/contract/message.ts";
import type { TeamState } from "../../shared/state/team-state.ts";

/** A message that was cut short, with the way to the nested team that it was said in. */
export interface PartialMessage {
  readonly id: string;
  readonly source: string;
  readonly text: string;
  readonly path: readonly string[];
}

/** What was cut short in a team and in those within it, the last said first; as far back as the state goes. */
export function partialsOf(state: TeamState): readonly PartialMessage[] {
  const all = new Map<string, { readonly at: string; readonly partial: PartialMessage }>();
  for (const { message, path } of cutShort(state, [])) {
    const { id, source, content, createdAt } = message;
    // A nested team has its own copy of what it heard.
    if (typeof content !== "string" || all.has(id)) continue;
    all.set(id, { at: createdAt, partial: { id, source, text: content, path } });
  }
  return [...all.values()].sort((a, b) => (a.at < b.at ? 1 : -1)).map(({ partial }) => partial);
}

/** Whether anything was cut short: what {@link partialsOf} would find, and quick. */
export function hasPartial({ thread, inner = {} }: TeamState): boolean {
  return thread.some(({ partial }) => partial === true) || Object.values(inner).some(hasPartial);
}

function cutShort(
  { thread, inner = {} }: TeamState,
  path: readonly string[],
): readonly { readonly message: ChatMessage; readonly path: readonly string[] }[] {
  return [
    ...thread.filter(({ partial }) => partial === true).map((message) => ({ message, path })),
    ...Object.entries(inner).flatMap(([name, state]) => cutShort(state, [...path, name])),
  ];
}
