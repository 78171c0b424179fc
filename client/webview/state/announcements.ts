import { signal } from "@preact/signals";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { firstLine, textOf } from "../../../shared/contract/message-text.ts";
import { BUDGET } from "../../../shared/contract/stop-reasons.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { pathText } from "../../common/nested-teams.ts";
import { stoppingText } from "../text/interrupt-text.ts";
import { isUser } from "../text/participants.ts";
import { runEndText, statusText } from "../text/run-text.ts";

/**
 * What a screen reader is told: ends of messages, status changes and what waits for the user; never a chunk. The last few
 * lines stay, so that two that come at once are both read.
 */
export const announcements = signal<readonly { readonly id: number; readonly text: string }[]>([]);
const MAX_ANNOUNCEMENTS = 4;
let count = 0;

export function announce(text: string | null): void {
  if (text === null) return;
  count++;
  announcements.value = [...announcements.value.slice(1 - MAX_ANNOUNCEMENTS), { id: count, text }];
}

/** What to say of an event; null when it is not worth interrupting a listener: of nested teams, only what waits for the user is. */
export function announcementOf(event: TeamEvent, team: TeamState): string | null {
  if (event.path !== undefined && event.type !== "tool/interrupted") return null;
  switch (event.type) {
    case "message/added": {
      const { message } = event;
      if (isUser(message.source, team)) return null;
      const said = firstLine(textOf(message), 200);
      return message.partial ? `${message.source} was cut off: ${said}` : `${message.source} said: ${said}`;
    }
    case "tool/interrupted":
      return event.approval
        ? `${pathText(event.path, event.participant)} asks to run ${event.name}. Your ruling is needed.`
        : `${event.name} of ${pathText(event.path, event.participant)} asks you something.`;
    case "run/ended":
      return event.status.reason === BUDGET
        ? `${runEndText(event.stopReason, event.status)}. Go on, or stop here.`
        : null;
    case "interrupt/requested":
      return event.grace === "now" ? null : stoppingText(event);
    case "handoff":
      return `${event.from} handed over to ${event.to}`;
    case "error":
      return `Error: ${event.message}`;
    default:
      return null;
  }
}

export function statusAnnouncement(team: TeamState): string {
  return `${team.name}: ${statusText(team)}`;
}
