import type { Capability, TeamDefinition } from "../../../shared/contract/definition.ts";
import type { History } from "../log/history.ts";
import type { RunParts } from "../run/run-parts.ts";
import type { TeamTree } from "../run/team-tree.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Timers } from "../timers.ts";
import type { Team } from "./team.ts";
import type { KeepName } from "./waiting-messages.ts";

/** The components of a team, put together by `createTeam`. */
export interface TeamComponents extends Omit<RunParts, "closeInner"> {
  readonly teamId: string;
  /** Whether it is the team of a participant, whose runs no user starts. */
  readonly isNested: boolean;
  readonly definition: TeamDefinition;
  readonly runtime: Runtime;
  /** How long an aborted tool may take to stop, in milliseconds. */
  readonly graceMs: number;
  /** The tool executors, by participant. */
  readonly executors: TeamTree["executors"];
  readonly contextOf: TeamTree["contextOf"];
  readonly models: TeamTree["models"];
  /** The nested teams, by participant. */
  readonly inner: ReadonlyMap<string, Team>;
  /** What each participant and monitor may do to participants. */
  readonly capabilities: ReadonlyMap<string, readonly Capability[]>;
  readonly timers: Timers;
  readonly keepName: KeepName;
  /** Of a stored team. */
  readonly history: History | undefined;
}
