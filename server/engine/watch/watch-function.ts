import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { InterruptOptions } from "../requests.ts";
import type { Team } from "../team/team.ts";

/**
 * Asked at each event of a run, those of nested teams and chunks among them: what it returns interrupts the run at once, or
 * the part of it and at the moment that it names. One that throws interrupts the run. To hear of interrupts, whoever asked
 * for them, listen to the team for `interrupt/requested` and `interrupt/completed` (`Team.onEvent`).
 */
export type WatchFunction = (event: TeamEvent, team: Team) => InterruptOptions | undefined;
