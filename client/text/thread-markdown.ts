import type { TeamEvent } from "../../shared/contract/event.ts";
import { textOf } from "../../shared/contract/message-text.ts";
import { fenceFor, longestBackticks } from "../../shared/fence.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { finishText } from "../common/finish-text.ts";
import { participantPath } from "../common/nested-teams.ts";
import { threadName } from "../common/thread-name.ts";
import { visibleText } from "../common/visible-text.ts";

/**
 * A thread as a Markdown document: who said what and when, the tool calls with their results, interrupts and how runs ended.
 * What models, tools and files wrote is fenced, so that none of it becomes a heading, a link, an image or HTML.
 */
export function threadMarkdown(team: TeamState, events: readonly TeamEvent[]): string {
  const who = team.participants.map((participant) => inline(participant.name)).join(", ");
  return [`# ${inline(threadName(team))}`, `Participants: ${who}`, ...events.flatMap(eventText), ""].join("\n\n");
}

function eventText(event: TeamEvent): readonly string[] {
  const place = "path" in event ? event.path : undefined;
  const named = (participant: string): string => inline(participantPath(place, participant));
  switch (event.type) {
    case "message/added": {
      const { message } = event;
      const cut = message.partial === true ? " (interrupted)" : "";
      return [`## ${named(message.source)}${cut}, ${timeText(message.createdAt)}`, fenced(textOf(message), "markdown")];
    }
    case "tool/requested":
      return event.calls.flatMap((call) => [
        `**${named(event.participant)}** calls **${inline(call.name)}**:`,
        fenced(JSON.stringify(call.input, null, 2) ?? "", "json"),
      ]);
    case "tool/executed":
      return [`**${inline(event.name)}** ${event.isError ? "failed" : "returned"}:`, fenced(outputText(event.output))];
    case "handoff":
      return [`*${named(event.from)} hands off to ${named(event.to)}.*`];
    case "interrupt/completed":
      return [`*Interrupted (${event.severity}) at ${timeText(event.at)}.*`];
    case "run/ended":
      return place !== undefined ? [] : [`*Run ended at ${timeText(event.at)}: ${inline(endText(event))}*`, "---"];
    case "error":
      return [`*Error:* ${inline(event.message)}`];
    default:
      return [];
  }
}

function endText({ stopReason, status }: Extract<TeamEvent, { type: "run/ended" }>): string {
  if (status.code === "success") return finishText(stopReason);
  return stopReason ?? status.message ?? status.code;
}

const outputText = (output: unknown): string =>
  typeof output === "string" ? output : (JSON.stringify(output, null, 2) ?? "");

const timeText = (iso: string): string => iso.replace("T", " ").replace(/\.\d+Z$/, " UTC");

/** A code span that the text cannot leave. */
function inline(text: string): string {
  const line = visibleText(text).text.replaceAll(/\s+/g, " ");
  const ticks = "`".repeat(longestBackticks(line) + 1);
  return line === "" ? "" : `${ticks}${/^`|`$/.test(line) ? ` ${line} ` : line}${ticks}`;
}

/** A fenced block that the text cannot leave. */
function fenced(text: string, language = ""): string {
  const fence = fenceFor(text);
  return `${fence}${language}\n${text}\n${fence}`;
}
