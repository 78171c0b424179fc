import type { MessagePreview } from "../../shared/contract/inspection.ts";
import type { QueuedMessage } from "../../shared/contract/team.ts";
import { listText } from "../common/list-text.ts";
import { pathText } from "../common/nested-teams.ts";
import type { Delivery } from "../common/page-messages.ts";
import { leafParticipants } from "./leaf-participants.ts";

/** What a way of giving a message does: `Now: interrupt ann and ask`. */
export function deliveryLabel(delivery: Delivery, to: string, { interrupts }: MessagePreview): string {
  switch (delivery) {
    case "now": {
      const stopped = leafParticipants(interrupts).map(({ participant, path }) => pathText(path, participant));
      return stopped.length === 0 ? "Now" : `Now: interrupt ${listText(stopped)} and ask`;
    }
    case "steer":
      return `Steer: at ${to}'s next turn`;
    case "queue":
      return "Queue: after this run";
  }
}

/** When a message is heard and by whom, in the host's words for the first. */
export function deliveryDetail({ when, seenBy, seenByManager }: MessagePreview): string {
  const manager = seenByManager ? ", and by the model that leads the team" : "";
  return `${when.text.replace(/\.$/, "")} · seen by ${seenBy.length === 0 ? "nobody" : listText(seenBy)}${manager}`;
}

/** What a message that waits is waiting for: `at tester's next turn, only tester sees it`. */
export function waitingText({ to, delivery, visibility }: QueuedMessage): string {
  const when = delivery === "steer" ? `at ${to}'s next turn` : "after this run";
  return visibility === "target" ? `${when}, only ${to} sees it` : when;
}
