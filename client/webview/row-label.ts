import type { TimelineItem } from "../../shared/timeline-items.ts";
import { isUser, type Members, nameOf } from "./people.ts";
import { interruptText, runEndText, timeOf } from "./words.ts";

/** What a screen reader calls a row. */
export function rowLabel(item: TimelineItem, members: Members): string {
  const time = timeOf(item.at);
  switch (item.kind) {
    case "message": {
      const to = item.to === undefined ? "" : ` to ${item.to}`;
      return `${nameOf(item.source, members)}${to}, ${time}${item.state === "partial" ? ", cut off" : ""}`;
    }
    case "tools":
      return `${item.source}, ${time}, tools: ${item.calls.map(({ name, state }) => `${name} ${state}`).join(", ")}`;
    case "thought":
      return `${item.source}, ${time}, thoughts`;
    case "retry":
      return `${item.source}, ${time}, trying again`;
    case "handoff":
      return `${item.from} handed over${item.to === undefined ? "" : ` to ${item.to}`}, ${time}`;
    case "interrupt":
      return `${interruptText(item, isUser(item.by, members))}, ${time}`;
    case "runEnd":
      return `${runEndText(item.stopReason, item.status)}, ${time}`;
    case "error":
      return `Error, ${time}`;
    case "queued":
      return `You to ${item.to}, waiting, ${time}`;
    case "note":
      return `Note, ${time}`;
  }
}
