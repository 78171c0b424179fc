import type { ParticipantDefinition, TeamDefinition } from "../../../shared/contract/definition.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { ToolCall } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { createTeam } from "../create-team.ts";
import type { StoredTeam } from "../log/journal.ts";
import type { Model } from "../model.ts";
import { FunctionParticipant, type ReplyFunction } from "../participants/function-participant.ts";
import type { TeamParts } from "../parts.ts";
import type { SendOptions } from "../requests.ts";
import type { Team } from "../team/team.ts";
import type { Timers } from "../timers.ts";
import type { Tool } from "../tool.ts";
import type { WatchFunction } from "../watch/watch-function.ts";
import { foldOf, MemoryJournal } from "./memory-journal.ts";

/** A team for tests. A participant with a function is that function, one with a model is an assistant with it. */
export interface TestTeamOptions
  extends Partial<
    Pick<
      TeamDefinition,
      "kind" | "termination" | "maxTurns" | "selector" | "graph" | "magentic" | "interrupts" | "monitors" | "approvals"
    >
  > {
  /** The participants, including those of nested teams, by name. */
  readonly speakers: Readonly<Record<string, ReplyFunction | Model>>;
  /** The participants' definitions, if they are not just the speakers. */
  readonly participants?: readonly ParticipantDefinition[];
  /** Further fields of a participant's definition. */
  readonly more?: Readonly<Record<string, Partial<ParticipantDefinition>>>;
  /** The tools of all participants. */
  readonly tools?: readonly Tool[];
  /** Models that replace those of the speakers' names. */
  readonly models?: TeamDefinition["models"];
  readonly readMemory?: (file: string) => Promise<string>;
  readonly graceMs?: number;
  readonly watch?: WatchFunction;
  readonly timers?: Timers;
  readonly journal?: MemoryJournal;
  readonly stored?: StoredTeam;
  readonly user?: () => string;
  readonly approval?: TeamParts["approval"];
}

/** A team, and what a test can observe of it. */
export interface TestTeam {
  readonly team: Team;
  readonly definition: TeamDefinition;
  readonly journal: MemoryJournal;
  /** What its listeners received. */
  readonly events: TeamEvent[];
  readonly types: () => TeamEvent["type"][];
  /** The thread as `source: text`; a partial ends in an ellipsis. */
  readonly said: () => string[];
  /** The ref of the model's call with that id: of the last if there are several, the id itself if there is none. */
  readonly ref: (id: string) => string;
  /** The same value, as JSON, with the models' own ids in place of the refs. */
  readonly withIds: <T>(value: T) => T;
  /** The state folded from what its listeners received. */
  readonly folded: () => TeamState;
  /** Resolves at the `nth` next event of that type; the first is 1. */
  readonly next: (type: TeamEvent["type"], nth?: number) => Promise<TeamEvent>;
  /** The same team in another process, after this process ended. */
  readonly reopened: (changes?: Partial<TestTeamOptions>) => TestTeam;
}

export const TEAM_ID = "team-1";

export function testTeam(options: TestTeamOptions): TestTeam {
  const { speakers, tools = [], journal = new MemoryJournal() } = options;
  const definition = definitionOf(options);
  const events: TeamEvent[] = [];
  const team = createTeam({
    teamId: TEAM_ID,
    definition,
    journal,
    ...(options.stored === undefined ? {} : { stored: options.stored }),
    ...(options.graceMs === undefined ? {} : { graceMs: options.graceMs }),
    watch: options.watch,
    user: options.user,
    timers: options.timers,
    parts: {
      model: (wanted) => modelOf(speakers, "model" in wanted ? (wanted.model ?? "") : ""),
      tool: (wanted) => tools.find(({ declaration }) => declaration.name === wanted),
      ...(options.readMemory === undefined ? {} : { readMemory: options.readMemory }),
      ...(options.approval === undefined ? {} : { approval: options.approval }),
      participant: ({ name }) => {
        const speaker = speakers[name];
        return typeof speaker === "function" ? new FunctionParticipant(name, speaker) : undefined;
      },
    },
  });
  team.onEvent((event) => events.push(structuredClone(event)));
  const before = [...journal.kept];
  return {
    team,
    definition,
    journal,
    events,
    types: () => events.map(({ type }) => type),
    said: () =>
      team.state.thread.map((message) => `${message.source}: ${message.content}${message.partial ? "…" : ""}`),
    ref: (id) => requestedCalls(journal).findLast((call) => call.id === id)?.ref ?? id,
    withIds: (value) => replaceRefs(value, requestedCalls(journal)),
    folded: () => foldOf([...before, ...events], TEAM_ID, definition),
    next: (type, nth = 1) => nextOf(team, type, nth),
    reopened: (changes = {}) =>
      testTeam({ ...options, journal, stored: journal.stored(TEAM_ID, definition), ...changes }),
  };
}

function definitionOf(options: TestTeamOptions): TeamDefinition {
  const { speakers, more = {}, tools = [], kind = "roundRobin" } = options;
  const { termination, maxTurns, selector, graph, magentic, interrupts, monitors, approvals } = options;
  const names = Object.keys(speakers);
  const speaking = names.map((name) => ({
    name,
    model: name,
    tools: tools.map(({ declaration }) => declaration.name),
    ...more[name],
  }));
  return {
    name: "Test",
    kind,
    participants: [...(options.participants ?? speaking)],
    models: {
      ...Object.fromEntries(names.map((name) => [name, { provider: "openai" as const, model: name }])),
      ...options.models,
    },
    ...(termination === undefined ? {} : { termination }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(selector === undefined ? {} : { selector }),
    ...(graph === undefined ? {} : { graph }),
    ...(magentic === undefined ? {} : { magentic }),
    ...(interrupts === undefined ? {} : { interrupts }),
    ...(monitors === undefined ? {} : { monitors }),
    ...(approvals === undefined ? {} : { approvals }),
  };
}

const requestedCalls = ({ events }: MemoryJournal): ToolCall[] =>
  events.flatMap((event) => {
    if (event.type === "tool/requested") return event.calls;
    if (event.type !== "state/loaded") return [];
    return event.state.transcript.flatMap((entry) => (entry.kind === "calls" ? entry.calls : []));
  });

function replaceRefs<T>(value: T, calls: readonly ToolCall[]): T {
  const ids = new Map(calls.map(({ ref, id }) => [ref, id]));
  const isCall = (item: unknown): item is ToolCall => ToolCall.safeParse(item).success;
  return JSON.parse(JSON.stringify(value), (_, item) => {
    if (!isCall(item)) return ids.get(item) ?? item;
    const { id, ...call } = item;
    return call;
  });
}

function modelOf(speakers: TestTeamOptions["speakers"], name: string): Model {
  const model = speakers[name];
  if (model === undefined || typeof model === "function") throw new Error(`The test has no model ${name}.`);
  return model;
}

function nextOf(team: Team, type: TeamEvent["type"], nth: number): Promise<TeamEvent> {
  let missing = nth;
  return new Promise((resolve) => {
    const unlisten = team.onEvent((event) => {
      if (event.type !== type || --missing > 0) return;
      unlisten();
      resolve(event);
    });
  });
}

/** Speakers that each say their name. */
export const names = (...all: readonly string[]): Record<string, ReplyFunction> =>
  Object.fromEntries(all.map((name) => [name, () => name]));

/** What happens after the reply to a directed message. */
export const afterReply = (then: "continue" | "pause"): SendOptions => ({ then });
