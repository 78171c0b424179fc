import type { Capability, ContextDefinition, TeamDefinition } from "../../../shared/contract/definition.ts";
import type { PlacedParticipant } from "../../../shared/contract/stopped.ts";
import type { ToolExecutor } from "../calls/tool-executor.ts";
import type { CurrentModels } from "../current-models.ts";
import type { Ledger } from "../log/ledger.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { ConditionFeed } from "./condition-feed.ts";
import type { Run } from "./run.ts";
import type { Transcript } from "./transcript.ts";
import type { Turns } from "./turns.ts";

/** The parts of a team and, by participant, of its nested teams. */
export interface TeamTree {
  readonly teamId: string;
  readonly definition: TeamDefinition;
  /** The run in progress, if any. */
  readonly run: Run | undefined;
  readonly runtime: Runtime;
  /** How long an aborted tool may take to stop, in milliseconds. */
  readonly graceMs: number;
  readonly turns: Turns;
  /** What each participant and monitor may do to participants (`capabilities` of the team file). */
  readonly capabilities: ReadonlyMap<string, readonly Capability[]>;
  readonly ledger: Ledger;
  readonly transcript: Transcript;
  readonly conditions: ConditionFeed;
  readonly maxTurns: number | undefined;
  readonly executors: ReadonlyMap<string, ToolExecutor>;
  /** How much of the conversation each participant's model is shown. */
  readonly contextOf: (participant: string) => ContextDefinition | undefined;
  readonly models: CurrentModels;
  readonly inner: ReadonlyMap<string, TeamTree>;
}

/** The team and all its nested teams, outer ones first, each with the path of participants that leads to it. */
export function* teamsIn(
  tree: TeamTree,
  path: readonly string[] = [],
): Generator<{ readonly team: TeamTree; readonly path: readonly string[] }, void, undefined> {
  yield { team: tree, path };
  for (const [name, inner] of tree.inner) yield* teamsIn(inner, [...path, name]);
}

/** The tool executor of a participant, if it has one. */
export function executorOf(tree: TeamTree, { participant, path = [] }: PlacedParticipant): ToolExecutor | undefined {
  let team: TeamTree | undefined = tree;
  for (const name of path) team = team?.inner.get(name);
  return team?.executors.get(participant);
}

/** The first result of `find` that is not undefined. */
export function findFirst<T, R>(items: Iterable<T>, find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
