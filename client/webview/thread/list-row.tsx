import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { speakerOf } from "../../common/timeline/items.ts";
import { ReceivedMessagesRow } from "../rows/received-messages-row.tsx";
import { RowContent } from "../rows/row-content.tsx";
import { SHOWN_LEVELS } from "../rows/speaker-row.tsx";
import { rosterAt } from "../state/roster.ts";
import { accentClass, isUser } from "../text/participants.ts";
import { rowLabel } from "../timeline/row-label.ts";
import type { ThreadRow } from "../timeline/rows.ts";
import type { ListWindow } from "./list-window.ts";

interface Props {
  readonly row: ThreadRow;
  /** Its place among all, from 1, and how many there are; -1 while that is not known. */
  readonly place: number;
  readonly total: number;
  readonly focusable: boolean;
  readonly list: ListWindow;
}

/** One row of the conversation: the frame that is measured, focused and announced, around what it shows. */
export function ListRow({ row, place, total, focusable, list }: Props) {
  const frame = useRef<HTMLElement>(null);
  useLayoutEffect(() => (frame.current === null ? undefined : list.observe(frame.current)), [list]);
  const { key, item, path, head, received: given } = row;
  const content =
    given === undefined ? (
      <RowContent id={key} item={item} head={head} path={path} />
    ) : (
      <ReceivedMessagesRow id={key} given={given} path={path} />
    );
  return (
    <article
      ref={frame}
      class={rowClass(row)}
      data-key={key}
      tabIndex={focusable ? 0 : -1}
      aria-label={given === undefined ? rowLabel(item, rosterAt(path), path) : `What ${path.at(-1)} was given`}
      aria-posinset={place}
      aria-setsize={total}
    >
      <Nest path={path} level={0}>
        {path.length === 0 ? content : <div class={`nested ${rowAccent(row)}`}>{content}</div>}
      </Nest>
    </article>
  );
}

interface NestProps {
  readonly path: readonly string[];
  readonly level: number;
  readonly children: ComponentChildren;
}

/** The lines of the participants whose nested teams a row is said in, one within the other, to the level that is shown. */
function Nest({ path, level, children }: NestProps) {
  const name = path[level];
  if (name === undefined || level === SHOWN_LEVELS) return <>{children}</>;
  return (
    <div class={`nested-line ${accentClass(name, rosterAt(path.slice(0, level)))}`}>
      <Nest path={path} level={level + 1}>
        {children}
      </Nest>
    </div>
  );
}

function rowClass({ item, head, path }: ThreadRow): string {
  const speaker = speakerOf(item);
  const members = rosterAt(path);
  const classes = ["row", `row-${item.kind}`];
  if (head) classes.push("is-head");
  if (path.length > 0) classes.push("is-nested");
  if (speaker !== null) classes.push(rowAccent({ item, path }), isUser(speaker, members) ? "is-user" : "is-agent");
  return classes.join(" ");
}

/** The accent of whoever speaks, within the lines of those around it. */
function rowAccent({ item, path }: Pick<ThreadRow, "item" | "path">): string {
  const speaker = speakerOf(item);
  return speaker === null ? "" : accentClass(speaker, rosterAt(path));
}
