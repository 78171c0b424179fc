import type { PracticeLine, TeamDefinition } from "../../shared/contract/definition.ts";

/** Thirty words, so that an interrupt always comes in the middle of them. */
export const LONG_LINE = Array.from({ length: 30 }, (_, at) => `word${at}`).join(" ");

type Lines = Readonly<Record<string, readonly PracticeLine[]>>;

const model = (lines: Lines, asked: Lines = {}): TeamDefinition["models"] => {
  const script = (of: Lines) => Object.fromEntries(Object.entries(of).map(([name, said]) => [name, [...said]]));
  return { default: { provider: "practice", pace: 200, lines: script(lines), asked: script(asked) } };
};

const named = (...names: readonly string[]): TeamDefinition["participants"] => names.map((name) => ({ name }));

/** A step of the orchestrator of a magentic team, as it answers it. */
const progress = (done: boolean, next: string): string =>
  JSON.stringify({
    is_request_satisfied: { reason: "r", answer: done },
    is_in_loop: { reason: "r", answer: false },
    is_progress_being_made: { reason: "r", answer: true },
    next_speaker: { reason: "r", answer: next },
    instruction_or_question: { reason: "r", answer: "Please do." },
  });

/** The teams of a stored state, each left in a different state. A version records those that it supports. */
export const storedTeams = {
  finished: {
    name: "Finished",
    kind: "roundRobin",
    participants: named("ann", "bob"),
    models: model({ ann: ["ann one", "ann two"], bob: ["bob one", "bob two"] }),
    maxTurns: 2,
  },
  interrupted: {
    name: "Interrupted",
    kind: "roundRobin",
    participants: named("ann", "bob"),
    models: model({ ann: ["ann one", "ann two"], bob: [LONG_LINE] }),
    termination: { maxMessages: 4 },
  },
  asked: {
    name: "Interrupted while answering the user",
    kind: "roundRobin",
    participants: named("ann", "bob"),
    models: model({ ann: ["ann one", "ann two"], bob: ["bob one"] }, { bob: [LONG_LINE] }),
    maxTurns: 1,
  },
  pending: {
    name: "Waiting for approval",
    kind: "roundRobin",
    participants: [{ name: "ann", tools: ["runCommand"] }],
    models: model({
      ann: [
        {
          say: "I run two.",
          calls: ["echo one", "echo two"].map((command) => ({ tool: "runCommand", input: { command } })),
        },
        "ann is done",
      ],
    }),
    maxTurns: 1,
  },
  waiting: {
    name: "Messages that wait",
    kind: "roundRobin",
    participants: named("ann", "bob"),
    models: model(
      { ann: [LONG_LINE, "ann two"], bob: ["bob one"] },
      { bob: ["bob answers first", "bob answers second"] },
    ),
    maxTurns: 1,
  },
  swarm: {
    name: "Handed over",
    kind: "swarm",
    participants: [
      { name: "ann", handoffs: ["bob"] },
      { name: "bob", handoffs: ["ann"] },
    ],
    models: model({
      ann: [{ calls: [{ tool: "transfer_to_bob" }] }, "ann two"],
      bob: [LONG_LINE, { calls: [{ tool: "transfer_to_ann" }] }],
    }),
    termination: { maxMessages: 5 },
  },
  selector: {
    name: "Selected",
    kind: "selector",
    participants: [
      { name: "ann", description: "A" },
      { name: "bob", description: "B" },
    ],
    models: model({ selector: ["bob", "ann"], ann: ["ann one", "ann two"], bob: [LONG_LINE, "bob two"] }),
    termination: { maxMessages: 3 },
  },
  graph: {
    name: "Branches",
    kind: "graph",
    participants: named("ann", "left", "right", "end"),
    graph: {
      edges: [
        { from: "ann", to: "left" },
        { from: "ann", to: "right" },
        { from: "left", to: "end" },
        { from: "right", to: "end" },
      ],
    },
    models: model({ ann: ["ann one"], left: [LONG_LINE], right: [LONG_LINE], end: ["end one"] }),
  },
  magentic: {
    name: "Orchestrated",
    kind: "magentic",
    participants: [
      { name: "ann", description: "A" },
      { name: "bob", description: "B" },
    ],
    models: model({
      magentic: ["the facts", "the plan", progress(false, "ann"), progress(true, "ann"), "the answer"],
      ann: [LONG_LINE],
      bob: ["bob one"],
    }),
  },
  nested: {
    name: "A team within a team",
    kind: "roundRobin",
    participants: [
      { name: "ann" },
      {
        name: "lab",
        kind: "team",
        team: {
          name: "Lab",
          kind: "roundRobin",
          participants: named("eve", "dan"),
          models: model({ eve: [LONG_LINE], dan: ["dan one"] }),
          maxTurns: 2,
        },
      },
    ],
    models: model({ ann: ["ann one"] }),
    maxTurns: 2,
  },
  nestedPending: {
    name: "A call within a team within a team",
    kind: "roundRobin",
    participants: [
      {
        name: "lab",
        kind: "team",
        team: {
          name: "Lab",
          kind: "roundRobin",
          participants: [{ name: "eve", tools: ["runCommand"] }],
          models: model({
            eve: [{ calls: [{ tool: "runCommand", input: { command: "echo three" } }] }, "eve is done"],
          }),
          maxTurns: 1,
        },
      },
    ],
    maxTurns: 1,
  },
  user: {
    name: "Waiting for the user",
    kind: "roundRobin",
    participants: [{ name: "ann" }, { name: "you", kind: "user" }],
    models: model({ ann: ["ann one", "ann two"] }),
    termination: { maxMessages: 4 },
  },
  edits: {
    name: "Edited files",
    kind: "roundRobin",
    participants: [{ name: "ann", tools: ["editFile", "writeFile"] }],
    models: model({
      ann: [
        {
          calls: [
            { tool: "editFile", input: { path: "a.txt", old: "two", new: "2" } },
            { tool: "writeFile", input: { path: "b.txt", content: "b\n" } },
          ],
        },
        "ann is done",
        "ann two",
      ],
    }),
    maxTurns: 1,
  },
  killedStreaming: {
    name: "Killed while a message came",
    kind: "roundRobin",
    participants: named("ann", "bob"),
    models: model({ ann: ["ann one"], bob: [LONG_LINE] }),
    maxTurns: 2,
  },
  killedInTool: {
    name: "Killed while a tool ran",
    kind: "roundRobin",
    participants: [{ name: "ann", tools: ["launch"] }],
    models: model({ ann: [{ calls: [{ tool: "launch" }] }, "ann is done"] }),
    maxTurns: 1,
  },
} satisfies Record<string, TeamDefinition>;

export type StoredTeamId = keyof typeof storedTeams;
