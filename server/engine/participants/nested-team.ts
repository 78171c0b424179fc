import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { Task, TaskResult } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { RunOptions, TaskOptions } from "../requests.ts";

/** A nested team as its participant in the outer team uses it. The methods are those of `Team`. */
export interface NestedTeam {
  readonly state: TeamState;
  /** The whole thread. */
  readonly messages: readonly ChatMessage[];
  run(task?: Task | readonly ChatMessage[], options?: TaskOptions): Promise<TaskResult>;
  resume(options?: RunOptions): Promise<TaskResult>;
  /** Has the directed message answered that was delivered to it, or to a team within it, by its addressee alone. */
  answer(options?: RunOptions): Promise<TaskResult>;
  reset(): void;
}
