import type { MessageItem, TimelineItem } from "./items.ts";
import type { TimelineDraft } from "./timeline-draft.ts";

/** What becomes of a message's item; null takes it out. */
type Change = (item: MessageItem) => MessageItem | null;

/**
 * Changes a message that is closed, here or in a nested team, whose turn is over by then and has an item of its own for each of
 * its parts.
 */
export function changeSaid(draft: TimelineDraft, path: readonly string[], id: string, change: Change): void {
  const [name, ...rest] = path;
  // A team that has not come to its end is written from its draft, over what stands in its item.
  if (name !== undefined) for (const team of draft.teams.openOf(name)) changeSaid(team, rest, id, change);
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

/** A message that came with a loaded state has that event's key before its own. */
const isOf = ({ key }: MessageItem, id: string): boolean => key === id || key.endsWith(`-${id}`);
