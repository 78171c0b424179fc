import { signal } from "@preact/signals";
import type { DurableEvent, TeamEvent } from "../../../shared/contract/event.ts";
import { firstLine, textOf } from "../../../shared/contract/message-text.ts";
import { BUDGET } from "../../../shared/contract/stop-reasons.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { participantPath } from "../../common/nested-teams.ts";
import { threadName } from "../../common/thread-name.ts";
import { questionTitle, userQuestionOf } from "../../common/user-question.ts";
import { stoppingText } from "../text/interrupt-text.ts";
import { isUser } from "../text/participants.ts";
import { runEndText, statusText } from "../text/run-text.ts";

/**
 * What screen readers announce: complete messages, status changes and what needs the user; never a chunk. The last few lines
 * stay, so that two that arrive together are both read.
 */
export const announcements = signal<readonly { readonly id: number; readonly text: string }[]>([]);
const MAX_ANNOUNCEMENTS = 4;
let count = 0;

export function announce(text: string | null): void {
  if (text === null) return;
  count++;
  announcements.value = [...announcements.value.slice(1 - MAX_ANNOUNCEMENTS), { id: count, text }];
}

/** The announcement of an event; null for none. Of nested teams, only what needs the user is announced. */
export function announcementOf(event: TeamEvent, team: TeamState): string | null {
  if (event.path !== undefined && event.type !== "tool/interrupted") return null;
  switch (event.type) {
    case "message/added": {
      const { message } = event;
      if (isUser(message.source, team)) return null;
      const said = firstLine(textOf(message), 200);
      return message.partial ? `${message.source} was interrupted: ${said}` : `${message.source} said: ${said}`;
    }
    case "tool/interrupted":
      return event.approval
        ? `${participantPath(event.path, event.participant)} asks to run ${event.name}. Your decision is needed.`
        : `${event.name}, called by ${participantPath(event.path, event.participant)}, has a question for you.`;
    case "userInput/requested": {
      const question = userQuestionOf(team);
      return (
        question && [questionTitle(question), firstLine(question.text, 200)].filter((part) => part !== "").join(": ")
      );
    }
    case "run/ended":
      return event.status.reason === BUDGET
        ? `${runEndText(event.stopReason, event.status)}. Continue or end the run.`
        : null;
    case "interrupt/requested":
      return event.grace === "now" ? null : stoppingText(event);
    case "handoff":
      return `${event.from} handed off to ${event.to}`;
    case "error":
      return `Error: ${event.message}`;
    default:
      return null;
  }
}

export function statusAnnouncement(team: TeamState, events: readonly DurableEvent[]): string {
  return `${threadName(team)}: ${statusText(team, events)}`;
}
