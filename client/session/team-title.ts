import { firstLine, textOf } from "../../shared/contract/message-text.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { threadName } from "../../shared/text/thread-name.ts";

/** A thread's name in a list of open teams; of several threads of one name, with the first task of each. */
export function teamTitle(team: TeamState, others: readonly (TeamState | undefined)[]): string {
  const name = threadName(team);
  const isAlone = others.every(
    (other) => other === undefined || other.teamId === team.teamId || threadName(other) !== name,
  );
  if (isAlone) return name;
  const [task] = team.thread;
  return `${name}: ${task === undefined ? "New thread" : firstLine(textOf(task), 60)}`;
}
