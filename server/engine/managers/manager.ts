import type { TeamState } from "../../../shared/team-state.ts";

/** Says who speaks next. It keeps nothing of its own: all it goes by is in the team's state, so that a restart changes nothing. */
export interface Manager {
  /** The next speakers; more than one speak in parallel. */
  select(state: TeamState): readonly string[];
}
