import type { TeamDefinition } from "../../shared/contract/definition.ts";
import type { TerminationCondition } from "./conditions/termination-condition.ts";
import type { Journal, StoredTeam } from "./log/journal.ts";
import type { SelectorFunctions } from "./managers/create-manager.ts";
import type { TeamParts } from "./parts.ts";
import type { KeepName } from "./team/waiting-messages.ts";
import type { Timers } from "./timers.ts";
import type { WatchFunction } from "./watch/watch-function.ts";

/** The options of `createTeam`. The definition alone is enough if its participants need nothing else. */
export interface TeamOptions {
  /** A new id if left out. */
  readonly teamId?: string | undefined;
  readonly definition: TeamDefinition;
  readonly uri?: string | undefined;
  /** The parts that its participants need; a team of code needs only `participant`. */
  readonly parts?: Partial<TeamParts> | undefined;
  /** The id of the user who acts now, asked for at each act; `user` if left out. */
  readonly user?: (() => string) | undefined;
  /** What it returns does work in the name of who calls it now, for what a waiting message leads to. */
  readonly keepName?: KeepName | undefined;
  /** A condition in code, in addition to that of the definition: the first that fires ends the run. */
  readonly termination?: TerminationCondition | undefined;
  /** Functions that select, or narrow down, the speakers of a selector team. */
  readonly selector?: SelectorFunctions | undefined;
  /** Stores the events; they are kept in memory only if left out. */
  readonly journal?: Journal | undefined;
  /** The stored team to continue from. */
  readonly stored?: StoredTeam | undefined;
  /** How long an aborted tool or participant may take to stop before it is abandoned, in milliseconds; 1,900 if left out. */
  readonly graceMs?: number | undefined;
  /** A watch function, in addition to the rules of the definition (`interrupts`). */
  readonly watch?: WatchFunction | undefined;
  /** The clock for watches and acknowledgements; the system clock if left out. */
  readonly timers?: Timers | undefined;
}
