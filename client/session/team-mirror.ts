import { type DurableEvent, isDurable, type TeamEvent } from "../../shared/contract/event.ts";
import type { TeamSnapshot } from "../../shared/contract/team.ts";
import { reduceTeam } from "../../shared/state/reducer.ts";
import { stateFromSnapshot, type TeamState } from "../../shared/state/team-state.ts";

/** How many of a team's last events are kept, for the page to start with. Earlier ones are requested from the host. */
export const TAIL = 1000;
/** The tail is trimmed only when it is longer by this many events, so that it is not copied for each. */
const TAIL_SLACK = 250;

/** What happened to an event: it was the next one, a repeated one, or one before it is missing. */
export type Applied = "applied" | "old" | "gap";

/** The client's copy of a team: a snapshot with every event since folded in. */
export class TeamMirror {
  #state: TeamState;
  #tail: DurableEvent[];

  /** @param tail the last events that the snapshot includes, in order. */
  constructor(snapshot: TeamSnapshot, tail: readonly TeamEvent[]) {
    this.#state = stateFromSnapshot(snapshot);
    this.#tail = tail.filter(isDurable).filter(({ seq }) => seq <= snapshot.lastSeq);
  }

  get state(): TeamState {
    return this.#state;
  }

  /** The last events, in order and without a gap up to `state.lastSeq`. */
  get tail(): readonly DurableEvent[] {
    return this.#tail;
  }

  /** Folds the next event in. A repeated one, or one after a gap, changes nothing. */
  apply(event: TeamEvent): Applied {
    if (!isDurable(event)) {
      this.#state = reduceTeam(this.#state, event);
      return "applied";
    }
    if (event.seq <= this.#state.lastSeq) return "old";
    if (event.seq !== this.#state.lastSeq + 1) return "gap";
    this.#state = reduceTeam(this.#state, event);
    this.#tail.push(event);
    if (this.#tail.length > TAIL + TAIL_SLACK) this.#tail = this.#tail.slice(-TAIL);
    return "applied";
  }
}
