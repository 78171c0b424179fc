import { isDurable, type TeamEvent } from "../../../shared/contract/event.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { FollowedTeam, TeamToFollow } from "./followed-team.ts";

export interface FollowingOptions {
  /** Follows the team from the host that runs it; left out where none can be reached. */
  readonly followElsewhere: ((team: TeamToFollow) => Promise<unknown>) | undefined;
  /** Tells the clients of this host. */
  readonly tell: (teamId: string, event: TeamEvent) => void;
}

interface Followed {
  readonly run: FollowedTeam;
  hasEnded: boolean;
}

/** A team as the host tells it that runs it; until what it told is loaded, also when it tells no more. */
export class Following {
  readonly #options: FollowingOptions;
  #followed: Followed | undefined;
  #toldSeq = 0;

  constructor(options: FollowingOptions) {
    this.#options = options;
  }

  /** Whether another host tells of the team now. */
  get isOn(): boolean {
    return this.#followed?.hasEnded === false;
  }

  /** Whether runs of other hosts can be followed at all. */
  get isPossible(): boolean {
    return this.#options.followElsewhere !== undefined;
  }

  /** The team as another host has told it; undefined once that is loaded. */
  get state(): TeamState | undefined {
    return this.#followed?.run.state;
  }

  /** The last event that another host has told. */
  get toldSeq(): number {
    return this.#toldSeq;
  }

  /** Follows a run from its host. `isCurrent`: whether the team here is what it was when this began. */
  async begin(teamId: string, known: TeamState, isCurrent: () => boolean): Promise<void> {
    let own: Followed | undefined;
    await this.#options.followElsewhere?.({
      teamId,
      known,
      begin: (run) => {
        // This host may have run the team meanwhile.
        if (!isCurrent()) return false;
        own = { run, hasEnded: false };
        this.#followed = own;
        return true;
      },
      tell: (event) => {
        if (isDurable(event)) this.#toldSeq = event.seq;
        this.#options.tell(teamId, event);
      },
      ended: () => {
        if (own !== undefined) own.hasEnded = true;
      },
    });
  }

  /** The other host tells no more. */
  leave(): void {
    this.#followed?.run.leave();
  }

  /** What it told is loaded. */
  end(): void {
    const followed = this.#followed;
    this.#followed = undefined;
    followed?.run.leave();
  }
}
