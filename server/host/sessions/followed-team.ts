import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";

/** A team that another host runs, as it is followed from there. */
export interface FollowedTeam {
  /** As the other host has told it. */
  readonly state: TeamState;
  /** It is not followed any more. */
  leave(): void;
}

/** A team to follow from the host that runs it. */
export interface TeamToFollow {
  readonly teamId: string;
  /** The team as the clients of this host know it, with the texts in progress that they were told. */
  readonly known: TeamState;
  /** Called before anything is told. @returns false if the team has changed here meanwhile: then nothing may be told. */
  readonly begin: (followed: FollowedTeam) => boolean;
  /** What happens, in order, from what the clients know on. All of it is stored. */
  readonly tell: (event: TeamEvent) => void;
  /** The run has ended, or nothing more can be told of it; called once after `begin`. */
  readonly ended: () => void;
}
