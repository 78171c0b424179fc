import type { PracticeLine, TeamDefinition } from "../../../shared/contract/definition.ts";

/** The tool of the client that counts how often each call runs. */
export const COUNTED_TOOL = "record";

type Lines = readonly PracticeLine[];
/** What a participant says and does in one turn of many. No two turns have the same text. */
type Turn = (name: string, nth: number) => Lines;

const words = (count: number, name: string, nth: number): string =>
  Array.from({ length: count }, (_, at) => `${name}${nth}-${at}`).join(" ");
const talks: Turn = (name, nth) => [words(12, name, nth)];
/** Still speaks when the others have worked and ended. */
const lectures: Turn = (name, nth) => [words(90, name, nth)];
const works: Turn = (name, nth) => [
  ...talks(name, nth),
  { say: `${name}${nth} records this now.`, calls: [{ tool: COUNTED_TOOL }] },
  `${name}${nth} has recorded it.`,
];
const handsTo =
  (target: string): Turn =>
  (name, nth) => [{ say: `${name}${nth} hands over to ${target}.`, calls: [{ tool: `transfer_to_${target}` }] }];
const answers: Turn = (name, nth) => [`${name}${nth} answers in a few words.`];

/** So many turns that no script ends before its team does. */
const TURNS = 12;

function model(turns: Readonly<Record<string, Turn>>): TeamDefinition["models"] {
  const script = (turnOf: (name: string) => Turn): Record<string, PracticeLine[]> =>
    Object.fromEntries(
      Object.keys(turns).map((name) => [
        name,
        Array.from({ length: TURNS }, (_, nth) => turnOf(name)(name, nth)).flat(),
      ]),
    );
  const lines = script((name) => turns[name] ?? talks);
  return { default: { provider: "practice", pace: 400, lines, asked: script(() => answers) } };
}

const people = (...names: readonly string[]): TeamDefinition["participants"] =>
  names.map((name) => ({ name, description: name, tools: [COUNTED_TOOL] }));

/** Its second participant has the name of one around it. */
const lab: TeamDefinition = {
  name: "Lab",
  kind: "roundRobin",
  participants: people("eve", "middle"),
  models: model({ eve: works, middle: talks }),
  maxTurns: 2,
};

const branches: NonNullable<TeamDefinition["graph"]> = {
  edges: ["left", "right", "middle"].flatMap((name) => [
    { from: "ann", to: name },
    { from: name, to: "end" },
  ]),
};

/** One team for each way in which work of several participants is in progress at the same time or in turn. */
export const eightTeams: Readonly<Record<string, TeamDefinition>> = {
  alone: {
    name: "Alone",
    kind: "roundRobin",
    participants: people("ann"),
    models: model({ ann: works }),
    maxTurns: 4,
  },
  talk: {
    name: "Talk",
    kind: "roundRobin",
    participants: people("ann", "bob"),
    models: model({ ann: works, bob: talks }),
    maxTurns: 5,
  },
  swarm: {
    name: "Handed over",
    kind: "swarm",
    participants: [
      { name: "ann", handoffs: ["bob"] },
      { name: "bob", handoffs: ["ann"] },
    ],
    models: model({
      ann: (name, nth) => [...talks(name, nth), ...handsTo("bob")(name, nth)],
      bob: handsTo("ann"),
    }),
    termination: { maxMessages: 8 },
  },
  branches: {
    name: "Branches",
    kind: "graph",
    participants: people("ann", "left", "right", "middle", "end"),
    graph: branches,
    models: model({ ann: answers, left: works, right: works, middle: lectures, end: talks }),
  },
  nested: {
    name: "A team within a team",
    kind: "roundRobin",
    participants: [...people("ann"), { name: "lab", kind: "team", team: lab }],
    models: model({ ann: works }),
    maxTurns: 4,
  },
  nestedBranches: {
    name: "Branches with teams",
    kind: "graph",
    participants: [...people("ann", "left", "middle", "end"), { name: "right", kind: "team", team: lab }],
    graph: branches,
    models: model({ ann: answers, left: works, middle: lectures, end: talks }),
  },
  society: {
    name: "Society of mind",
    kind: "roundRobin",
    participants: [{ name: "mind", kind: "societyOfMind", team: lab }, ...people("bob")],
    models: model({ mind: talks, bob: works }),
    maxTurns: 3,
  },
  deep: {
    name: "Two levels",
    kind: "roundRobin",
    participants: [
      {
        name: "outer",
        kind: "team",
        team: {
          name: "Outer",
          kind: "roundRobin",
          participants: [{ name: "inner", kind: "team", team: lab }, ...people("bob")],
          models: model({ bob: talks }),
          maxTurns: 2,
        },
      },
    ],
    maxTurns: 2,
  },
};
