import type { Capability, ContextDefinition } from "../../../shared/contract/definition.ts";
import type { PlacedParticipant } from "../../../shared/contract/stopped.ts";
import type { ToolExecutor } from "../calls/tool-executor.ts";
import type { Ledger } from "../log/ledger.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { ConditionFeed } from "./condition-feed.ts";
import type { Run } from "./run.ts";
import type { Transcript } from "./transcript.ts";
import type { Turns } from "./turns.ts";

/** A team as one looks into it: what it is made of, and the teams within it, by the participants that they are. */
export interface TeamTree {
  readonly teamId: string;
  /** The run in progress. */
  readonly run: Run | undefined;
  readonly runtime: Runtime;
  /** How long an aborted tool is waited for, in milliseconds. */
  readonly graceMs: number;
  readonly turns: Turns;
  /** What each participant may do to others. */
  readonly capabilities: ReadonlyMap<string, readonly Capability[]>;
  readonly ledger: Ledger;
  readonly transcript: Transcript;
  readonly conditions: ConditionFeed;
  readonly maxTurns: number | undefined;
  readonly executors: ReadonlyMap<string, ToolExecutor>;
  /** What of the talk each participant's model is shown. */
  readonly contexts: ReadonlyMap<string, ContextDefinition | undefined>;
  readonly inner: ReadonlyMap<string, TeamTree>;
}

/** The team itself and all within it, each with the participants that one goes through to it; a team comes before those within it. */
export function* teamsIn(
  tree: TeamTree,
  path: readonly string[] = [],
): Generator<{ readonly team: TeamTree; readonly path: readonly string[] }, void, undefined> {
  yield { team: tree, path };
  for (const [name, inner] of tree.inner) yield* teamsIn(inner, [...path, name]);
}

/** The executor of a participant's tools, if there is one. */
export function executorOf(tree: TeamTree, { participant, path = [] }: PlacedParticipant): ToolExecutor | undefined {
  let team: TeamTree | undefined = tree;
  for (const name of path) team = team?.inner.get(name);
  return team?.executors.get(participant);
}

/** What `find` gives for the first item for which it gives something. */
export function findFirst<T, R>(items: Iterable<T>, find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
