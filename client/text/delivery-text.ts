import type { MessagePreview } from "../../shared/contract/inspection.ts";
import type { QueuedMessage, TeamStatus } from "../../shared/contract/team.ts";
import { listText } from "../../shared/text/list-text.ts";
import { participantPath } from "../../shared/text/nested-teams.ts";
import type { Delivery } from "../common/page-messages.ts";
import { queueTime } from "../common/queue-time.ts";
import { leafParticipants } from "./leaf-participants.ts";

/** What a delivery does: `Now: interrupt ann`. Without `to` it is of a message to the whole team. */
export function deliveryLabel(
  delivery: Delivery,
  to: string | undefined,
  { interrupts, cancels = [] }: MessagePreview,
): string {
  switch (delivery) {
    case "now": {
      if (cancels.length > 0) return `Now: cancel ${listText(cancels.map(({ name }) => name))}`;
      const stopped = leafParticipants(interrupts).map(({ participant, path }) => participantPath(path, participant));
      return stopped.length === 0 ? "Now" : `Now: interrupt ${listText(stopped)}`;
    }
    case "steer":
      return `Steer: ${nextTurn(to)}`;
    case "queue":
      return "Queue: after this run";
  }
}

/** When a message is delivered, in the host's words, and who sees it. */
export function deliveryDetail({ when, seenBy, seenByManager }: MessagePreview): string {
  const manager = seenByManager ? ", and by the manager's model" : "";
  return `${when.text.replace(/\.$/, "")} · seen by ${seenBy.length === 0 ? "no participant" : listText(seenBy)}${manager}`;
}

/** When a waiting message of a team with that status will be delivered: `at tester's next turn, shown only to tester`. */
export function waitingText({ to, delivery, visibility }: QueuedMessage, status: TeamStatus): string {
  const when = delivery === "steer" ? nextTurn(to) : queueTime(status);
  return visibility === "target" && to !== undefined ? `${when}, shown only to ${to}` : when;
}

const nextTurn = (to: string | undefined): string => (to === undefined ? "at the next turn" : `at ${to}'s next turn`);
