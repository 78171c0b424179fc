import type { DurableEvent } from "../../shared/contract/event.ts";
import { BUDGET } from "../../shared/contract/stop-reasons.ts";
import type { ParticipantInfo, TeamSnapshot } from "../../shared/contract/team.ts";
import { ownValue } from "../../shared/json-record.ts";
import { participantPath } from "../../shared/text/nested-teams.ts";

/**
 * The stop reason of the budget that paused the team; null when no budget did. It takes the team's last events, because the
 * state alone does not distinguish this pause from others.
 */
export function budgetPauseOf(team: Pick<TeamSnapshot, "status">, events: readonly DurableEvent[]): string | null {
  if (team.status !== "paused") return null;
  const last = events.findLast((event) => event.path === undefined && changesPause(event));
  if (last?.type !== "run/ended" || last.status.reason !== BUDGET) return null;
  return budgetText(last.stopReason);
}

/** The stop reason of a run that a budget paused, to be used within a sentence. */
export function budgetText(stopReason: string | null): string {
  const sentence = stopReason ?? "A budget is used up.";
  return sentence.replace(/\.$/, "").replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase());
}

/** Whether an event starts or ends a pause. */
function changesPause(event: DurableEvent): boolean {
  switch (event.type) {
    case "run/started":
    case "run/ended":
    case "team/reset":
    case "state/loaded":
      return true;
    case "interrupt/completed":
      return event.severity !== "pause";
    default:
      return false;
  }
}

/** The user participant whose turn it is, of this team or a nested one; undefined when there is none. */
export function userParticipantOf(team: TeamSnapshot): ParticipantInfo | undefined {
  if (userTurnOf(team) === null || team.awaitingUser === undefined) return undefined;
  const { participant, path = [] } = team.awaitingUser;
  const inner = path.reduce<TeamSnapshot | undefined>((outer, name) => ownValue(outer?.inner, name), team);
  return inner?.participants.find(({ name }) => name === participant);
}

/** The user participant whose turn it is, with the path to a nested team; null when there is none. */
export function userTurnOf({ awaitingUser, status }: Pick<TeamSnapshot, "awaitingUser" | "status">): string | null {
  if (awaitingUser === undefined || (status !== "paused" && status !== "idle")) return null;
  return participantPath(awaitingUser.path, awaitingUser.participant);
}
