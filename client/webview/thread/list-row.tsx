import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { accentClass, isUser } from "../../common/participants/participants.ts";
import { speakerOf } from "../../common/timeline/items.ts";
import { ReceivedMessagesRow } from "../rows/received-messages-row.tsx";
import { RowContent } from "../rows/row-content.tsx";
import { SHOWN_LEVELS } from "../rows/speaker-row.tsx";
import { modelSentence } from "../state/models.ts";
import { rosterAt } from "../state/roster.ts";
import { rowLabel } from "../timeline/row-label.ts";
import type { ThreadRow } from "../timeline/rows.ts";
import type { ListWindow } from "./list-window.ts";

interface Props {
  readonly row: ThreadRow;
  /** Its position among all rows, from 1, and their number; -1 while that is unknown. */
  readonly position: number;
  readonly total: number;
  readonly focusable: boolean;
  readonly list: ListWindow;
}

/** A row of the thread: the frame that is measured and focused, around its content. */
export function ListRow({ row, position, total, focusable, list }: Props) {
  const frame = useRef<HTMLElement>(null);
  useLayoutEffect(() => (frame.current === null ? undefined : list.observe(frame.current)), [list]);
  const { key, item, path, head, lane, received } = row;
  const content =
    received === undefined ? (
      <RowContent id={key} item={item} head={head} path={path} lane={lane} />
    ) : (
      <ReceivedMessagesRow id={key} messages={received} path={path} />
    );
  return (
    <article
      ref={frame}
      class={rowClass(row)}
      data-key={key}
      tabIndex={focusable ? 0 : -1}
      aria-label={received === undefined ? rowLabel(item, rosterAt(path), path) : `Messages received by ${path.at(-1)}`}
      aria-description={received === undefined ? descriptionOf(row) : undefined}
      aria-posinset={position}
      aria-setsize={total}
    >
      <NestedLines path={path} level={0}>
        {path.length === 0 ? content : <div class={`nested ${rowAccent(row)}`}>{content}</div>}
      </NestedLines>
    </article>
  );
}

/** The model that wrote a message; the header of its group shows it in a tooltip. */
const descriptionOf = ({ item, path }: ThreadRow): string | undefined =>
  item.kind === "message" ? modelSentence(item, item.source, path) || undefined : undefined;

interface NestedLinesProps {
  readonly path: readonly string[];
  readonly level: number;
  readonly children: ComponentChildren;
}

/** The lines that connect a nested row to the participants above it, up to the levels that are indented. */
function NestedLines({ path, level, children }: NestedLinesProps) {
  const name = path[level];
  if (name === undefined || level === SHOWN_LEVELS) return <>{children}</>;
  return (
    <div class={`nested-line ${accentClass(name, rosterAt(path.slice(0, level)))}`}>
      <NestedLines path={path} level={level + 1}>
        {children}
      </NestedLines>
    </div>
  );
}

function rowClass({ item, head, path, lane }: ThreadRow): string {
  const speaker = speakerOf(item);
  const members = rosterAt(path);
  const classes = ["row", `row-${item.kind}`];
  if (head) classes.push("is-head");
  if (lane) classes.push("is-lane");
  if (path.length > 0) classes.push("is-nested");
  if (speaker !== null) classes.push(rowAccent({ item, path }), isUser(speaker, members) ? "is-user" : "is-agent");
  return classes.join(" ");
}

/** The accent of the row's speaker. */
function rowAccent({ item, path }: Pick<ThreadRow, "item" | "path">): string {
  const speaker = speakerOf(item);
  return speaker === null ? "" : accentClass(speaker, rosterAt(path));
}
