import type { TimelineItem } from "../../shared/timeline-items.ts";
import { ErrorRow } from "./error-row.tsx";
import { HandoffRow, InterruptRow, NoteRow, QueuedRow, RetryRow, RunEndRow } from "./event-rows.tsx";
import { memo } from "./memo.ts";
import { MessageRow } from "./message-row.tsx";
import { ThoughtRow } from "./thought-row.tsx";
import { ToolsRow } from "./tools-row.tsx";

interface Props {
  readonly item: TimelineItem;
  readonly head: boolean;
}

/** What one item of the timeline looks like. Drawn again only when the item is another one. */
export const RowContent = memo(({ item, head }: Props) => {
  switch (item.kind) {
    case "message":
      return <MessageRow item={item} head={head} />;
    case "tools":
      return <ToolsRow item={item} head={head} />;
    case "thought":
      return <ThoughtRow item={item} head={head} />;
    case "retry":
      return <RetryRow item={item} head={head} />;
    case "handoff":
      return <HandoffRow item={item} />;
    case "interrupt":
      return <InterruptRow item={item} />;
    case "runEnd":
      return <RunEndRow item={item} />;
    case "error":
      return <ErrorRow item={item} />;
    case "queued":
      return <QueuedRow item={item} />;
    case "note":
      return <NoteRow item={item} />;
  }
});
