import { computed } from "@preact/signals";
import { listText } from "../../../../shared/text/list-text.ts";
import { busyParticipants, participantPath } from "../../../../shared/text/nested-teams.ts";
import type { Delivery } from "../../../common/page-messages.ts";
import { composerMode } from "../../state/composer-mode.ts";
import { team } from "../../state/page-state.ts";

/** What sending does while the team runs. */
export const deliveryLabels: Readonly<Record<Delivery, string>> = {
  steer: "Steer",
  queue: "Queue",
  now: "Stop and Send",
};

/** The participants that a message sent now would interrupt, to be used within a sentence. */
const interrupted = computed(() => {
  const busy = team.value === null ? [] : busyParticipants(team.value);
  const names = busy.map(({ path, name }) => participantPath(path, name));
  return names.length === 0 ? "" : `, interrupting ${listText(names)}`;
});

/** Whether the team waits for decisions on calls, which a message that is sent now takes the place of. */
const cancels = (): boolean => composerMode.value === "awaitingTools";

/** What becomes of a message to a participant, or with null to the team; `delivery` is null while the team is at rest. */
export function deliveryText(to: string | null, delivery: Delivery | null): string {
  switch (delivery) {
    case null:
      return to === null ? "The team starts" : `Only ${to} answers`;
    case "now":
      return `${to ?? "The team"} answers now${cancels() ? ", and the waiting calls are cancelled" : interrupted.value}`;
    case "steer":
      return to === null
        ? `The next speaker sees it${cancels() ? " after your decision" : "; no one is interrupted"}`
        : `${to} sees it at its next turn; no one is interrupted`;
    case "queue":
      return `${to ?? "The team"} sees it after this run`;
  }
}
