import type { TeamDefinition } from "./contract/definition.ts";
import type { Usage } from "./contract/message.ts";
import type { OpenTurn } from "./contract/saved-state.ts";
import type { PendingTool, TeamSnapshot, ToolCall } from "./contract/team.ts";

/** A call that has been asked for and has no result yet. `started` says that its tool may have had effects. */
export interface OpenCall extends ToolCall {
  readonly participant: string;
  readonly started: boolean;
  /** Its tool did not stop after an interrupt; a late result is still taken. */
  readonly abandoned?: true;
  /** The user told it to run: why it had waited, should it have to wait again. */
  readonly asked?: Pick<PendingTool, "interrupt" | "approval">;
}

/** The run in progress. */
export interface ActiveRun {
  readonly runId: string;
  readonly usage: Usage;
  /** How many messages of the thread stood before it. */
  readonly threadStart: number;
}

/**
 * What a team is after its events so far: the fold that `reduceTeam` makes of them. It holds the end of the thread, not all
 * of it, so that it stays small however long the team lives. A {@link TeamSnapshot} is a part of it.
 */
export interface TeamState extends Readonly<TeamSnapshot> {
  readonly run: ActiveRun | null;
  /** The speakers chosen last; `directed` when a user's message chose them, and what follows then. */
  readonly selected: { readonly participants: readonly string[]; readonly directed?: "continue" | "pause" };
  readonly openTurns: readonly OpenTurn[];
  readonly calls: readonly OpenCall[];
  /** Who last finished a turn in the order of speakers; an interrupted turn and a directed answer leave it as it was. */
  readonly lastSpeaker: string | null;
  /** The answer to a user's message that was cut short, and what follows it: whoever goes on without a task begins there. */
  readonly unanswered?: { readonly participant: string; readonly directed: "continue" | "pause" };
  /** How many messages of the thread's end the termination conditions count: those since they were reset. */
  readonly conditionMessages: number;
}

/** How many of the thread's last messages a state, and so a snapshot, holds. */
export const SNAPSHOT_THREAD = 200;

export const NO_USAGE: Usage = { prompt: 0, completion: 0, total: 0 };

export function addUsage(a: Usage, b: Usage | undefined): Usage {
  if (b === undefined) return a;
  return { prompt: a.prompt + b.prompt, completion: a.completion + b.completion, total: a.total + b.total };
}

/** What a team has before anything has happened to it. */
export const NOTHING_YET: Omit<
  TeamState,
  "teamId" | "name" | "kind" | "description" | "uri" | "participants" | "lastSeq" | "lastStop" | "unanswered"
> = {
  status: "idle",
  interrupted: false,
  thread: [],
  threadLength: 0,
  pendingTools: [],
  queued: [],
  turn: 0,
  usage: NO_USAGE,
  streaming: [],
  run: null,
  selected: { participants: [] },
  openTurns: [],
  calls: [],
  lastSpeaker: null,
  conditionMessages: 0,
};

/** A new team, before its first event. */
export function initialTeamState(teamId: string, definition: TeamDefinition, uri?: string): TeamState {
  return {
    teamId,
    name: definition.name,
    kind: definition.kind,
    ...(definition.description === undefined ? {} : { description: definition.description }),
    ...(uri === undefined ? {} : { uri }),
    ...NOTHING_YET,
    participants: definition.participants.map(({ name, kind, description, model }) => ({
      name,
      kind: kind ?? "assistant",
      ...(description === undefined ? {} : { description }),
      ...(model === undefined ? {} : { model }),
      activity: "idle",
    })),
    lastSeq: 0,
  };
}

/** The part of a team's state that goes to a client. */
export function snapshotOf(state: TeamState): TeamSnapshot {
  const { run, selected, openTurns, calls, lastSpeaker, unanswered, conditionMessages, ...snapshot } = state;
  return snapshot;
}

/** A state to fold further events into, from a snapshot: what a client's mirror begins with. */
export function stateFromSnapshot(snapshot: TeamSnapshot): TeamState {
  return { ...NOTHING_YET, ...snapshot, conditionMessages: snapshot.threadLength };
}
