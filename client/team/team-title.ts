import { firstLine, textOf } from "../../shared/contract/message-text.ts";
import type { TeamState } from "../../shared/state/team-state.ts";

/** A team's name in a list of open teams; of several threads of one team, with the first task of each. */
export function teamTitle(team: TeamState, others: readonly (TeamState | undefined)[]): string {
  const isAlone = others.every((other) => other?.teamId === team.teamId || other?.name !== team.name);
  if (isAlone) return team.name;
  const [task] = team.thread;
  return `${team.name}: ${task === undefined ? "New thread" : firstLine(textOf(task), 60)}`;
}
