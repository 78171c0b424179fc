import type { MessageItem, TimelineItem } from "./items.ts";
import type { TimelineDraft } from "./timeline-draft.ts";

/** Returns the changed item; null removes it. */
type Change = (item: MessageItem) => MessageItem | null;

/** Changes a message that is no longer streaming, here or in the nested team that `path` leads to. */
export function changeMessage(draft: TimelineDraft, path: readonly string[], id: string, change: Change): void {
  const [name, ...rest] = path;
  // The draft of a team that can still change replaces its item later, so both are changed.
  if (name !== undefined) for (const team of draft.teams.openOf(name)) changeMessage(team, rest, id, change);
  const changed = changedIn(draft.items, path, id, change);
  draft.items.splice(0, draft.items.length, ...changed);
}

function changedIn(
  items: readonly TimelineItem[],
  path: readonly string[],
  id: string,
  change: Change,
): TimelineItem[] {
  const [name, ...rest] = path;
  return items.flatMap((item): TimelineItem[] => {
    if (name !== undefined) {
      const isWithin = item.kind === "team" && item.source === name;
      return [isWithin ? { ...item, items: changedIn(item.items, rest, id, change) } : item];
    }
    if (item.kind !== "message" || !isOf(item, id)) return [item];
    const changed = change(item);
    return changed === null ? [] : [changed];
  });
}

/** A message of a loaded state has the key of that event before its own. */
const isOf = ({ key }: MessageItem, id: string): boolean => key === id || key.endsWith(`-${id}`);
