import { useLayoutEffect, useRef } from "preact/hooks";
import { speakerOf, type TimelineItem } from "../../shared/timeline-items.ts";
import type { ListWindow } from "./list-window.ts";
import { accentOf, isUser } from "./people.ts";
import { roster } from "./roster.ts";
import { RowContent } from "./row-content.tsx";
import { rowLabel } from "./row-label.ts";

interface Props {
  readonly item: TimelineItem;
  readonly head: boolean;
  /** Its place among all, from 1, and how many there are; -1 while that is not known. */
  readonly place: number;
  readonly total: number;
  readonly focusable: boolean;
  readonly list: ListWindow;
}

/** One row of the conversation: the frame that is measured, focused and announced, around what it shows. */
export function ListRow({ item, head, place, total, focusable, list }: Props) {
  const row = useRef<HTMLElement>(null);
  useLayoutEffect(() => (row.current === null ? undefined : list.observe(row.current)), [list]);
  return (
    <article
      ref={row}
      class={rowClass(item, head)}
      data-key={item.key}
      tabIndex={focusable ? 0 : -1}
      aria-label={rowLabel(item, roster.value)}
      aria-posinset={place}
      aria-setsize={total}
    >
      <RowContent item={item} head={head} />
    </article>
  );
}

function rowClass(item: TimelineItem, head: boolean): string {
  const speaker = speakerOf(item);
  const classes = ["row", `row-${item.kind}`];
  if (head) classes.push("is-head");
  if (speaker !== null) {
    classes.push(accentOf(speaker, roster.value));
    classes.push(isUser(speaker, roster.value) ? "is-user" : "is-agent");
  }
  return classes.join(" ");
}
