import type { TeamEvent } from "../contract/event.ts";
import type { ChatMessage } from "../contract/message.ts";
import { textOf } from "../contract/message-text.ts";
import type { TranscriptEntry } from "../contract/saved-state.ts";
import type { ToolCall } from "../contract/team.ts";
import { fenceFor, longestBackticks } from "../fence.ts";
import type { TeamState } from "../state/team-state.ts";
import { outputText } from "../tool-output.ts";
import { finishText } from "./finish-text.ts";
import { participantPath } from "./nested-teams.ts";
import { participantsText } from "./participants-text.ts";
import { threadName } from "./thread-name.ts";
import { visibleText } from "./visible-text.ts";

/**
 * A thread as a Markdown document: who said what and when, the tool calls with their results, interrupts and how runs ended.
 * What models, tools and files wrote is fenced, so that none of it becomes a heading, a link, an image or HTML.
 */
export function threadMarkdown(team: TeamState, events: readonly TeamEvent[]): string {
  const who = team.participants.map((participant) => inline(participant.name)).join(", ");
  // A state that was loaded, as a fork's, has the thread up to then.
  const start = events.findLastIndex((event) => event.type === "state/loaded" && event.path === undefined);
  const shown = start === -1 ? events : events.slice(start);
  return [`# ${inline(threadName(team))}`, `Participants: ${who}`, ...shown.flatMap(eventText), ""].join("\n\n");
}

function eventText(event: TeamEvent): readonly string[] {
  const place = "path" in event ? event.path : undefined;
  const named = (participant: string): string => inline(participantPath(place, participant));
  switch (event.type) {
    case "message/added":
      return messageText(event.message, named(event.message.source));
    case "tool/requested":
      return callsText(event.calls, named(event.participant));
    case "tool/executed":
      return resultText(event.name, event);
    case "state/loaded":
      return place === undefined ? transcriptText(event.state.transcript) : [];
    case "participants/changed":
      return event.changes.length === 0 ? [] : [`*${inline(participantsText(event, event.by))}*`];
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

function transcriptText(transcript: readonly TranscriptEntry[]): readonly string[] {
  const calls = transcript.flatMap((entry) => (entry.kind === "calls" ? entry.calls : []));
  const names = new Map(calls.map(({ ref, name }) => [ref, name]));
  return transcript.flatMap((entry) => entryText(entry, names));
}

function entryText(entry: TranscriptEntry, names: ReadonlyMap<string, string>): readonly string[] {
  switch (entry.kind) {
    case "message":
      return messageText(entry.message, inline(entry.message.source));
    case "calls":
      return callsText(entry.calls, inline(entry.participant));
    case "result":
      return resultText(names.get(entry.ref) ?? entry.ref, entry);
  }
}

function messageText(message: ChatMessage, who: string): readonly string[] {
  const cut = message.partial === true ? " (interrupted)" : "";
  return [`## ${who}${cut}, ${timeText(message.createdAt)}`, fenced(textOf(message), "markdown")];
}

const callsText = (calls: readonly ToolCall[], who: string): readonly string[] =>
  calls.flatMap(({ name, input }) => [
    `**${who}** calls **${inline(name)}**:`,
    fenced(JSON.stringify(input, null, 2) ?? "", "json"),
  ]);

const resultText = (
  name: string,
  { output, isError }: { readonly output?: unknown; readonly isError: boolean },
): readonly string[] => [`**${inline(name)}** ${isError ? "failed" : "returned"}:`, fenced(outputText(output, 2))];

function endText({ stopReason, status }: Extract<TeamEvent, { type: "run/ended" }>): string {
  if (status.code === "success") return finishText(stopReason);
  return stopReason ?? status.message ?? status.code;
}

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
