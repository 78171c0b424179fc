import type { DurableEvent } from "../../../shared/contract/event.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { busyParticipants } from "../../../shared/text/nested-teams.ts";
import { findMember, isOrchestrator } from "../../common/participants/participants.ts";

/** What a team's manager does while no participant does anything. */
export interface ManagerWork {
  /** The orchestrator, which speaks in the thread; without it, a model chooses the speakers unseen. */
  readonly name?: string;
  /** Follows the name or, without one, begins the sentence. */
  readonly doing: string;
}

/** What the manager of a running team does; null while a participant, or the orchestrator itself, shows something. */
export function managerWork(team: TeamState, events: readonly DurableEvent[]): ManagerWork | null {
  if (team.status !== "running" || team.streaming.length > 0 || busyParticipants(team).length > 0) return null;
  switch (team.kind) {
    case "magentic": {
      const name = findMember("orchestrator", team) === undefined ? "orchestrator" : "orchestrator_";
      return { name, doing: hasPlanned(team, events) ? "is choosing the next step" : "is planning" };
    }
    case "selector":
      return { doing: "Choosing the next speaker" };
    case "roundRobin":
    case "swarm":
    case "graph":
      return null;
  }
}

/** Whether the orchestrator has said anything about the task. */
function hasPlanned(team: TeamState, events: readonly DurableEvent[]): boolean {
  const last = events.findLast(
    (event) =>
      event.path === undefined &&
      event.type === "message/added" &&
      findMember(event.message.source, team) === undefined,
  );
  return last?.type === "message/added" && isOrchestrator(last.message.source, team);
}
