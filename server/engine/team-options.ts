import type { TeamDefinition } from "../../shared/contract/definition.ts";
import type { TerminationCondition } from "./conditions/termination-condition.ts";
import type { Journal, StoredTeam } from "./log/journal.ts";
import type { SelectorFunctions } from "./managers/create-manager.ts";
import type { TeamParts } from "./parts.ts";
import type { Timers } from "./timers.ts";
import type { WatchFunction } from "./watch/watch-function.ts";

/** What a team is made of: the definition is enough where its participants need nothing else. */
export interface TeamOptions {
  /** A new one if left out. */
  readonly teamId?: string | undefined;
  readonly definition: TeamDefinition;
  readonly uri?: string | undefined;
  /** Those that its participants need; a team of code alone gives just `participant`. */
  readonly parts?: Partial<TeamParts> | undefined;
  /** Whom the user's messages and rulings are from. */
  readonly user?: string | undefined;
  /** A condition that is code, beside that of the definition: the first that fires ends the run. */
  readonly termination?: TerminationCondition | undefined;
  /** Functions that choose, or narrow, a selector team's speakers. */
  readonly selector?: SelectorFunctions | undefined;
  /** Memory alone if left out. */
  readonly journal?: Journal | undefined;
  /** What was kept of it, to go on from. */
  readonly stored?: StoredTeam | undefined;
  /** How long an aborted tool or participant is waited for before it is abandoned, in milliseconds: 2,000 if left out. */
  readonly graceMs?: number | undefined;
  /** A watch that is code, beside the rules of the definition (`interrupts`). */
  readonly watch?: WatchFunction | undefined;
  /** The time that watches and acknowledgements go by; that of the process if left out. */
  readonly timers?: Timers | undefined;
}
