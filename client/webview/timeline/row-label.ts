import { endedCommandText } from "../../../shared/text/command-text.ts";
import { countText } from "../../../shared/text/count-text.ts";
import { participantPath } from "../../../shared/text/nested-teams.ts";
import { participantsText } from "../../../shared/text/participants-text.ts";
import { displayName } from "../../common/participants/participants.ts";
import type { Roster } from "../../common/participants/team-roster.ts";
import type { TimelineItem } from "../../common/timeline/items.ts";
import { offeredModels } from "../state/page-state.ts";
import { contextText } from "../text/context-text.ts";
import { timeText } from "../text/format.ts";
import { interruptCause } from "../text/interrupt-cause.ts";
import { interruptText, receiptParts } from "../text/interrupt-text.ts";
import { fallbackText, modelText } from "../text/model-text.ts";
import { peopleText } from "../text/people-text.ts";
import { reasoningText } from "../text/reasoning-text.ts";
import { runEndText } from "../text/run-text.ts";
import { nestedTeamText, ownMessages } from "./nested-team.ts";

/** A row's label for screen readers. In a nested team, the speaker has its path. */
export function rowLabel(item: TimelineItem, members: Roster, path: readonly string[]): string {
  const time = timeText(item.at);
  const who = (source: string): string => participantPath(path, source);
  switch (item.kind) {
    case "message": {
      const to = item.to === undefined ? "" : ` to ${item.to}`;
      const only = item.onlyTarget ? `, visible only to ${item.to}` : "";
      return `${who(displayName(item.source, members))}${to}${only}, ${time}${item.state === "partial" ? ", partial" : ""}`;
    }
    case "tools":
      return `${who(item.source)}, ${time}, tools: ${item.calls.map(({ name, state }) => `${name} ${state}`).join(", ")}`;
    case "thought":
      return `${who(item.source)}, ${time}, thought`;
    case "retry":
      return `${who(item.source)}, ${time}, retrying`;
    case "team": {
      const inner = members.inner.get(item.source) ?? members;
      return `${who(item.source)}, ${nestedTeamText(item.source, members)}, ${countText(ownMessages(item, inner).length, "message")}, ${time}`;
    }
    case "handoff":
      return `${who(item.from)} handed off${item.to === undefined ? "" : ` to ${item.to}`}, ${time}`;
    case "interrupt":
      return [interruptText(item, interruptCause(item, members)), ...receiptParts(item), time].join(", ");
    case "reasoning":
      return `${reasoningText(item, displayName(item.from, members))}, ${time}`;
    case "runEnd":
      return `${runEndText(item.stopReason, item.status, item.speaker && displayName(item.speaker, members))}, ${time}`;
    case "error":
      return `Error, ${time}`;
    case "fallback":
      return `${fallbackText(item, offeredModels.value)}, ${time}`;
    case "context":
      return `${contextText(item)}, ${time}`;
    case "model":
      return `${modelText(item, offeredModels.value)}, ${time}`;
    case "participants":
      return `${participantsText(item, displayName(item.by, members))}, ${time}`;
    case "people":
      return `${peopleText(item, members)}, ${time}`;
    case "command":
      return `${endedCommandText(item)}, ${time}`;
    case "note":
      return `Note, ${time}`;
  }
}
