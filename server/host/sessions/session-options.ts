import type { GavelError } from "../../../shared/contract/errors.ts";
import type { User } from "../../../shared/contract/people.ts";
import type { TeamParts } from "../../engine/index.ts";
import type { HostLog } from "../log/host-log.ts";
import type { TeamRecord } from "../store/records/team-records.ts";
import type { Store } from "../store/store.ts";
import type { EventPublisher } from "./event-publisher.ts";
import type { TeamToFollow } from "./followed-team.ts";

export interface SessionOptions {
  readonly store: Store;
  readonly publisher: EventPublisher;
  /** The parts of a team, by where it works. */
  readonly parts: (team: Pick<TeamRecord, "teamId" | "uri" | "definition">) => TeamParts & {
    /** Called when the team is loaded again, or is deleted: what its participants have started ends. */
    readonly close?: () => void;
  };
  /** The id of the user who acts now. */
  readonly user: () => string;
  /** What it returns does work in the name of who calls it now; left out where all is done in one name. */
  readonly keepName?: () => (work: () => void) => void;
  /** A user who has a client at this host; undefined for another. */
  readonly connected: (user: string) => User | undefined;
  /** Whether a user has a client at another host; left out where there are none. */
  readonly connectedElsewhere?: (user: string) => Promise<boolean>;
  /** For a guest of another computer, the id of the user who serves them; undefined for a user of this computer. */
  readonly servedBy?: () => string | undefined;
  /** Follows a team from the host that runs it; false where none can be reached. Left out where there are no others. */
  readonly followElsewhere?: (team: TeamToFollow) => Promise<boolean>;
  readonly log: HostLog;
  /** Called when a team's run is over. A run that waits for decisions is not over. */
  readonly runEnded: (teamId: string) => void;
  /** Ends the background commands of a team that is reset or will be deleted. */
  readonly endCommands: (teamId: string) => Promise<void>;
  /** Called when a team is deleted or gets another definition: requests that it is to answer end with that error. */
  readonly discarded: (teamId: string, error: (method: string) => GavelError) => void;
}
