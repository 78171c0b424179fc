import type { TimelineItem } from "../../common/timeline/items.ts";
import { memo } from "../ui/memo.ts";
import { CommandRow } from "./command-row.tsx";
import { ContextRow } from "./context-row.tsx";
import { ErrorRow } from "./error-row.tsx";
import {
  FallbackRow,
  HandoffRow,
  ModelRow,
  NoteRow,
  ParticipantsRow,
  PeopleRow,
  ReasoningRow,
  RetryRow,
  RunEndRow,
} from "./event-rows.tsx";
import { MessageRow } from "./message-row.tsx";
import { ReceiptRow } from "./receipt-row.tsx";
import { TeamRow } from "./team-row.tsx";
import { ThoughtRow } from "./thought-row.tsx";
import { ToolsRow } from "./tools-row.tsx";

interface Props {
  /** The row's key, under which the page remembers whether its sections are expanded. */
  readonly id: string;
  readonly item: TimelineItem;
  readonly head: boolean;
  readonly path: readonly string[];
  /** Its participant is one of several that are active at the same time. */
  readonly lane: boolean;
}

/** One item of the timeline. It renders again only when the item is another object. */
export const RowContent = memo(({ id, item, head, path, lane }: Props) => {
  switch (item.kind) {
    case "message":
      return <MessageRow item={item} head={head} path={path} lane={lane} />;
    case "tools":
      return <ToolsRow item={item} head={head} path={path} lane={lane} />;
    case "thought":
      return <ThoughtRow item={item} head={head} path={path} lane={lane} />;
    case "retry":
      return <RetryRow item={item} head={head} path={path} />;
    case "team":
      return <TeamRow id={id} item={item} head={head} path={path} />;
    case "handoff":
      return <HandoffRow item={item} path={path} />;
    case "interrupt":
      return <ReceiptRow item={item} />;
    case "reasoning":
      return <ReasoningRow item={item} path={path} />;
    case "runEnd":
      return <RunEndRow item={item} path={path} />;
    case "error":
      return <ErrorRow item={item} />;
    case "note":
      return <NoteRow item={item} />;
    case "command":
      return <CommandRow item={item} />;
    case "participants":
      return <ParticipantsRow item={item} path={path} />;
    case "people":
      return <PeopleRow item={item} path={path} />;
    case "fallback":
      return <FallbackRow item={item} />;
    case "context":
      return <ContextRow item={item} path={path} />;
    case "model":
      return <ModelRow item={item} />;
  }
});
