import type { ChatMessage } from "../../shared/contract/message.ts";
import type { TeamState } from "../../shared/state/team-state.ts";

/** A partial message, with the path to its nested team. */
export interface PartialMessage {
  readonly id: string;
  readonly source: string;
  readonly text: string;
  readonly path: readonly string[];
}

/** The partial messages of a team and its nested teams that are in its state, the latest first. */
export function partialsOf(state: TeamState): readonly PartialMessage[] {
  const all = new Map<string, { readonly at: string; readonly partial: PartialMessage }>();
  for (const { message, path } of cutShort(state, [])) {
    const { id, source, content, createdAt } = message;
    // A nested team has its own copy of a message that it received.
    if (typeof content !== "string" || all.has(id)) continue;
    all.set(id, { at: createdAt, partial: { id, source, text: content, path } });
  }
  return [...all.values()].sort((a, b) => (a.at < b.at ? 1 : -1)).map(({ partial }) => partial);
}

/** Whether {@link partialsOf} would find any; quicker. */
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
