import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { InterruptOptions } from "../requests.ts";
import type { Team } from "../team/team.ts";

/**
 * Called with each event of a run, including chunks and events of nested teams. If it returns options, the run is
 * interrupted with them; if it throws, the run is interrupted. To observe interrupts from any source, listen to the team for
 * `interrupt/requested` and `interrupt/completed` (`Team.onEvent`).
 */
export type WatchFunction = (event: TeamEvent, team: Team) => InterruptOptions | undefined;
