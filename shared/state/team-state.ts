import type { TeamDefinition } from "../contract/definition.ts";
import type { Usage } from "../contract/message.ts";
import type { OpenTurn, SavedState } from "../contract/saved-state.ts";
import type { PendingTool, TeamSnapshot, ToolCall } from "../contract/team.ts";

/** A call that has been asked for and has no result yet. `started` says that its tool may have had effects. */
export interface OpenCall extends ToolCall {
  readonly participant: string;
  readonly started: boolean;
  /** Its tool did not stop after an interrupt; a late result is still taken. */
  readonly abandoned?: true;
  /** The user told it to run: why it had waited, should it have to wait again. */
  readonly asked?: Pick<PendingTool, "interrupt" | "approval">;
}

/** Who is to answer a user's message that was cut short, and what follows. */
export type Unanswered = NonNullable<SavedState["unanswered"]>;

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
  readonly unanswered?: Unanswered;
  /** Messages to one participant that were delivered, and are answered with its next turn's end. */
  readonly due?: readonly { readonly id: string; readonly to: string }[];
  /** Whom the last handoff was to. */
  readonly handoffTo?: string;
  /** What the manager keeps in mind. */
  readonly note?: unknown;
  /** How many unseen answers a model has given to whom: the manager, say (`model/asked`). */
  readonly asked?: Readonly<Record<string, number>>;
  /** What each participant has noted for itself. */
  readonly memories?: Readonly<Record<string, readonly string[]>>;
  /** The nested teams, by participant. */
  readonly inner?: Record<string, TeamState>;
  /** How many messages of the thread's end the termination conditions count: those since they were reset. */
  readonly conditionMessages: number;
}

/** How many of the thread's last messages a state, and so a snapshot, holds. */
export const SNAPSHOT_THREAD = 200;

export const NO_USAGE: Usage = { prompt: 0, completion: 0, total: 0 };

export function addUsage(a: Usage, b: Usage | undefined): Usage {
  if (b === undefined) return a;
  const cost = a.cost === undefined && b.cost === undefined ? {} : { cost: (a.cost ?? 0) + (b.cost ?? 0) };
  return { prompt: a.prompt + b.prompt, completion: a.completion + b.completion, total: a.total + b.total, ...cost };
}

/** What comes and goes with what happens, and is not there in a new team. */
export type Passing = Pick<
  TeamState,
  "lastStop" | "unanswered" | "due" | "handoffTo" | "note" | "asked" | "memories" | "inner" | "awaitingUser"
>;

/** What a team has before anything has happened to it. */
export const NOTHING_YET: Omit<
  TeamState,
  "teamId" | "name" | "kind" | "description" | "uri" | "participants" | "lastSeq" | keyof Passing
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
  const nested = definition.participants.flatMap(({ name, team }) =>
    team === undefined ? [] : [[name, initialTeamState(innerId(teamId, name), team)]],
  );
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
    ...(nested.length === 0 ? {} : { inner: Object.fromEntries(nested) }),
  };
}

/** The id of the team within the participant of that name. */
export const innerId = (teamId: string, participant: string): string => `${teamId}/${participant}`;

/** The part of a team's state that goes to a client. */
export function snapshotOf(state: TeamState): TeamSnapshot {
  const {
    run,
    selected,
    openTurns,
    calls,
    lastSpeaker,
    unanswered,
    due,
    handoffTo,
    note,
    asked,
    memories,
    conditionMessages,
    inner,
    ...snapshot
  } = state;
  return inner === undefined ? snapshot : { ...snapshot, inner: mapValues(inner, snapshotOf) };
}

/** A state to fold further events into, from a snapshot: what a client's mirror begins with. */
export function stateFromSnapshot(snapshot: TeamSnapshot): TeamState {
  const { inner, ...own } = snapshot;
  return {
    ...NOTHING_YET,
    ...own,
    conditionMessages: snapshot.threadLength,
    ...(inner === undefined ? {} : { inner: mapValues(inner, stateFromSnapshot) }),
  };
}

/** The same keys, with each value changed. */
export function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
