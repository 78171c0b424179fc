import { signal } from "@preact/signals";
import { RUN_COMMAND } from "../../../shared/command-tools.ts";
import type { DurableEvent, TeamEvent } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { firstLine, textOf } from "../../../shared/contract/message-text.ts";
import { BUDGET } from "../../../shared/contract/stop-reasons.ts";
import { isRecord } from "../../../shared/json-record.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { endedCommandText } from "../../../shared/text/command-text.ts";
import { participantPath } from "../../../shared/text/nested-teams.ts";
import { threadName } from "../../../shared/text/thread-name.ts";
import { questionTitle, userQuestionOf } from "../../../shared/text/user-question.ts";
import { isUser, otherUser } from "../../common/participants/participants.ts";
import { rosterOf } from "../../common/participants/team-roster.ts";
import type { TimelineItem } from "../../common/timeline/items.ts";
import type { Timeline } from "../../common/timeline/timeline.ts";
import { interruptCause } from "../text/interrupt-cause.ts";
import { interruptText, receiptParts, STOPS_AFTER_TURN, stoppingText } from "../text/interrupt-text.ts";
import { runEndText, statusText } from "../text/run-text.ts";
import { shortInput } from "../text/tool-text.ts";
import { peopleAnnouncement, type Viewer } from "./people-announcement.ts";

/**
 * What screen readers announce: complete messages, status changes and what needs the user; never a chunk. The last few lines
 * stay, so that two that arrive together are both read.
 */
export const announcements = signal<readonly { readonly id: number; readonly text: string }[]>([]);
/** How many of those before stay beside the new ones. */
const KEPT = 3;
let count = 0;

/** Announces all of these, of which null is none. */
export function announce(...texts: readonly (string | null)[]): void {
  const fresh = texts.filter((text) => text !== null).map((text) => ({ id: ++count, text }));
  if (fresh.length > 0) announcements.value = [...announcements.value.slice(-KEPT), ...fresh];
}

/** The announcements of events that arrived together, and of the status that they led to. */
export function announcementsOf(
  events: readonly TeamEvent[],
  before: TeamState,
  after: TeamState,
  timeline: Timeline,
  user: string,
): readonly string[] {
  const roster = rosterOf(after, user);
  const said = events.map((event) => announcementOf(event, after, { user, roster }, timeline.items));
  if (after.status !== before.status) said.push(statusAnnouncement(after, timeline.events, user));
  return said.filter((text) => text !== null);
}

/** The announcement of an event; null for none. Of nested teams, only what needs the user is announced. */
function announcementOf(
  event: TeamEvent,
  team: TeamState,
  viewer: Viewer,
  items: readonly TimelineItem[],
): string | null {
  if (event.path !== undefined && event.type !== "tool/interrupted") return null;
  switch (event.type) {
    case "message/added":
      return messageAnnouncement(event.message, viewer);
    case "tool/interrupted":
      if (event.review)
        return `A result of ${event.name} for ${participantPath(event.path, event.participant)} waits for your review.`;
      return event.approval
        ? `Approval needed: ${participantPath(event.path, event.participant)} wants to use ${callText(event)}`
        : `${event.name}, called by ${participantPath(event.path, event.participant)}, has a question for you.`;
    case "userInput/requested": {
      const question = userQuestionOf(team);
      return (
        question && [questionTitle(question), firstLine(question.text, 200)].filter((part) => part !== "").join(": ")
      );
    }
    case "role/changed":
    case "approvers/changed":
    case "tool/approved":
    case "tool/resolved":
      return peopleAnnouncement(event, team, viewer, items);
    case "command/ended":
      return endedCommandText(event);
    case "run/ended":
      return event.status.reason === BUDGET
        ? `${runEndText(event.stopReason, event.status)}. Continue or end the run.`
        : null;
    case "interrupt/requested":
      return event.grace === "now" ? null : stoppingText(event);
    case "stop/requested":
      return STOPS_AFTER_TURN;
    case "stop/withdrawn":
      return "The team keeps running";
    case "interrupt/completed": {
      const receipt = items.findLast((item) => item.kind === "interrupt");
      if (receipt?.kind !== "interrupt") return null;
      return [interruptText(receipt, interruptCause(receipt, viewer.roster)), ...receiptParts(receipt)].join(", ");
    }
    case "handoff":
      return `${event.from} handed off to ${event.to}`;
    case "error":
      return `${event.participant === undefined ? "Error" : `${event.participant} failed`}: ${event.message}`;
    default:
      return null;
  }
}

/** What a participant or another user said. */
function messageAnnouncement(message: ChatMessage, { roster }: Viewer): string | null {
  const other = otherUser(message.source, roster);
  if (other === undefined && isUser(message.source, roster)) return null;
  const who = other ?? message.source;
  const said = firstLine(textOf(message), 200);
  return message.partial ? `${who} was interrupted: ${said}` : `${who} said: ${said}`;
}

function callText({ name, input }: { readonly name: string; readonly input?: unknown }): string {
  const isBackground = name === RUN_COMMAND && isRecord(input) && input["background"] === true;
  const { background: _, ...shown } = isBackground ? input : { background: undefined };
  const text = [name, shortInput(isBackground ? shown : input)].filter((part) => part !== "").join(": ");
  return isBackground ? `${text}, in the background` : text;
}

function statusAnnouncement(team: TeamState, events: readonly DurableEvent[], user: string): string {
  return `${threadName(team)}: ${statusText(team, events, user)}`;
}
