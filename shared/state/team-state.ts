import type { HandoffDefinition, ParticipantDefinition, TeamDefinition } from "../contract/definition.ts";
import type { Usage } from "../contract/message.ts";
import type { SavedState } from "../contract/saved-state.ts";
import type { OpenCall, OpenTurn, ParticipantInfo, RunInProgress, TeamSnapshot } from "../contract/team.ts";
import { modelFacts, modelFor, modelInfo, usesModel } from "./model-choice.ts";

/** The participant whose answer to a directed message was cut short, and what follows the answer. */
export type Unanswered = NonNullable<SavedState["unanswered"]>;

/** The run in progress. */
export type ActiveRun = Readonly<Pick<RunInProgress, "runId" | "usage" | "threadStart">>;

/**
 * A team's state: its events, folded by `reduceTeam`. It holds the end of the thread, not all of it, so that it stays small.
 * A {@link TeamSnapshot} is a part of it.
 */
export interface TeamState extends Readonly<Omit<TeamSnapshot, "inProgress" | "openTurns" | "inner">> {
  readonly run: ActiveRun | null;
  /** The speakers selected last; `directed` if a directed message selected them, and what follows their answer. */
  readonly selected: {
    readonly participants: readonly string[];
    readonly directed?: "continue" | "pause" | undefined;
  };
  readonly openTurns: readonly OpenTurn[];
  readonly calls: readonly OpenCall[];
  /** Who last finished a turn in the order of speakers; interrupted turns and directed answers do not count. */
  readonly lastSpeaker: string | null;
  /** The answer to a directed message that was cut short: a run without a task starts with it. */
  readonly unanswered?: Unanswered;
  /**
   * Directed messages that were delivered; the end of the participant's next turn answers them. `seq` is that of the
   * delivery; a loaded state does not have it.
   */
  readonly due?: readonly { readonly id: string; readonly to: string; readonly seq?: number }[];
  /** The target of the last handoff, and who handed over. */
  readonly handoffTo?: string;
  readonly handoffFrom?: string;
  /** The manager's note: what it remembers between selections. */
  readonly note?: unknown;
  /**
   * The thread's length when the manager ended the conversation, such as at the end of a graph. Removed when it begins
   * again, and not by directed messages and their answers.
   */
  readonly finishedAt?: number;
  /** How many answers a model has given that are not in the thread, by who asked, such as the manager (`model/asked`). */
  readonly asked?: Readonly<Record<string, number>>;
  /** Each participant's own notes. */
  readonly memories?: Readonly<Record<string, readonly string[]>>;
  /** The nested teams, by participant. */
  readonly inner?: Record<string, TeamState>;
  /** How many messages at the thread's end the termination conditions count: those since they were reset. */
  readonly conditionMessages: number;
}

/** How many of the thread's last messages a state holds, and so a snapshot. */
export const SNAPSHOT_THREAD = 200;

export const NO_USAGE: Usage = { prompt: 0, completion: 0, total: 0 };

export function addUsage(a: Usage, b: Usage | undefined): Usage {
  if (b === undefined) return a;
  const cost = a.cost === undefined && b.cost === undefined ? {} : { cost: sum(a.cost ?? 0, b.cost ?? 0) };
  return {
    prompt: sum(a.prompt, b.prompt),
    completion: sum(a.completion, b.completion),
    total: sum(a.total, b.total),
    ...cost,
    ...(a.estimated === true || b.estimated === true ? { estimated: true as const } : {}),
  };
}

/** At most the largest number, as JSON has no infinity. */
const sum = (a: number, b: number): number => Math.min(a + b, Number.MAX_VALUE);

/**
 * The optional fields of a state but its title, the chosen models, the definition and its models: a new team does not have
 * them, a reset removes them, and a saved state has them under the same names.
 */
export const OPTIONAL_STATE = [
  "lastStop",
  "unanswered",
  "due",
  "handoffTo",
  "handoffFrom",
  "note",
  "finishedAt",
  "asked",
  "memories",
  "plans",
  "contexts",
  "awaitingUser",
  "former",
] as const;

type OptionalKey = (typeof OPTIONAL_STATE)[number];

/** The state of a team to which nothing has happened. */
export const EMPTY_STATE: Required<
  Omit<
    TeamState,
    | "teamId"
    | "name"
    | "kind"
    | "description"
    | "uri"
    | "participants"
    | "lastSeq"
    | "inner"
    | "title"
    | "models"
    | "chosenModel"
    | "stopRequested"
    | "commands"
    | "definition"
    | "decided"
    | "chair"
    | "people"
    | "newcomers"
    | "approvers"
    | OptionalKey
  >
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

/** A new team, before its first event. A nested one uses the models of the outer team unless it defines its own. */
export function initialTeamState(teamId: string, definition: TeamDefinition, uri?: string): TeamState {
  return initialState(teamId, definition, {}, uri);
}

/** @param outer the models of the teams around it, which can be chosen in it too. */
function initialState(
  teamId: string,
  definition: TeamDefinition,
  outer: NonNullable<TeamDefinition["models"]>,
  uri?: string,
): TeamState {
  const models = { ...outer, ...definition.models };
  const nested = definition.participants.flatMap(({ name, team }) =>
    team === undefined ? [] : [[name, initialState(innerId(teamId, name), withModels(team, definition), models)]],
  );
  return {
    teamId,
    name: definition.name,
    kind: definition.kind,
    ...(definition.description === undefined ? {} : { description: definition.description }),
    ...(uri === undefined ? {} : { uri }),
    ...(Object.keys(models).length === 0 ? {} : { models: mapValues(models, modelFacts) }),
    ...EMPTY_STATE,
    participants: definition.participants.map(({ name, kind, description, model, handoffs, on }) => ({
      name,
      kind: kind ?? "assistant",
      ...(description === undefined ? {} : { description }),
      ...(on === undefined ? {} : { worker: on.worker }),
      ...(model === undefined ? {} : { model }),
      ...definedModel({ name, kind, model, on }, definition),
      ...(kind !== "user" || handoffs === undefined ? {} : { handoffs: handoffs.map(handoffChoice) }),
      activity: "idle",
    })),
    lastSeq: 0,
    ...(nested.length === 0 ? {} : { inner: Object.fromEntries(nested) }),
  };
}

/** A nested team with the models that it uses. */
export const withModels = (team: TeamDefinition, { models }: TeamDefinition): TeamDefinition => ({
  ...team,
  models: team.models ?? models,
});

function definedModel(
  participant: Pick<ParticipantDefinition, "name" | "kind" | "model" | "on">,
  definition: TeamDefinition,
): Pick<ParticipantInfo, "definedModel"> {
  if (!usesModel(participant)) return {};
  const model = modelFor(participant, definition, undefined);
  return typeof model === "string" ? {} : { definedModel: modelInfo(model) };
}

/** A handoff as the user chooses it. */
function handoffChoice(handoff: HandoffDefinition): { readonly target: string; readonly description?: string } {
  if (typeof handoff === "string") return { target: handoff };
  const { target, description } = handoff;
  return { target, ...(description === undefined ? {} : { description }) };
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
    handoffFrom,
    note,
    finishedAt,
    asked,
    memories,
    conditionMessages,
    inner,
    ...snapshot
  } = state;
  return {
    ...snapshot,
    ...(openTurns.length === 0 ? {} : { openTurns: [...openTurns] }),
    ...(run === null ? {} : { inProgress: { ...run, selected: selectedIn(selected), calls: [...calls] } }),
    ...(inner === undefined ? {} : { inner: mapValues(inner, snapshotOf) }),
  };
}

const selectedIn = ({ participants, ...how }: TeamState["selected"]): RunInProgress["selected"] => ({
  participants: [...participants],
  ...how,
});

/** A state to fold further events into, made from a snapshot: the start of a client's copy. */
export function stateFromSnapshot(snapshot: TeamSnapshot): TeamState {
  const { inner, openTurns = [], inProgress, ...own } = snapshot;
  return {
    ...EMPTY_STATE,
    ...own,
    openTurns,
    ...(inProgress === undefined ? {} : stateInProgress(inProgress)),
    conditionMessages: snapshot.threadLength,
    ...(inner === undefined ? {} : { inner: mapValues(inner, stateFromSnapshot) }),
  };
}

const stateInProgress = ({
  selected,
  calls,
  ...run
}: RunInProgress): Pick<TeamState, "run" | "selected" | "calls"> => ({
  run,
  selected,
  calls,
});

/** The same keys, with each value changed. */
export function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
