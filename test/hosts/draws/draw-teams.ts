import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { COUNTED_TOOL, eightTeams } from "../../faults/harness/eight-teams.ts";

/** The file in the folder of a worker in which its tool leaves a line for each time that it ran. */
export const RUN_LINES = "ran.txt";

/** The team with a participant on a worker. */
export const REMOTE = "remote";

/** So many turns that no script ends before its team does. */
const TURNS = 40;

const words = (name: string, nth: number): string =>
  Array.from({ length: 30 }, (_, at) => `${name}${nth}-${at}`).join(" ");

const turns = <T>(turn: (nth: number) => readonly T[]): T[] =>
  Array.from({ length: TURNS }, (_, nth) => turn(nth)).flat();

const remote: TeamDefinition = {
  name: "Remote",
  kind: "roundRobin",
  participants: [
    { name: "ann", description: "ann", on: { worker: "gpu" } },
    { name: "bob", description: "bob", tools: [COUNTED_TOOL] },
  ],
  models: {
    default: {
      provider: "practice",
      pace: 300,
      lines: {
        bob: turns((nth) => [
          { say: `bob${nth} records this now.`, calls: [{ tool: COUNTED_TOOL }] },
          `bob${nth} has recorded it.`,
        ]),
      },
      asked: { bob: turns((nth) => [`bob${nth} answers in a few words.`]) },
    },
  },
  maxTurns: 2,
};

/** The file of the worker that has ann. */
export const workerFile = {
  participants: [{ name: "ann", tools: ["runCommand"] }],
  models: {
    own: {
      provider: "practice",
      pace: 300,
      lines: {
        ann: turns((nth) => [
          { calls: [{ tool: "gpu/runCommand", input: { command: `echo ran >> ${RUN_LINES}; sleep 0.1` } }] },
          words("ann", nth),
        ]),
      },
      asked: { ann: turns((nth) => [`ann${nth} answers in a few words.`]) },
    },
  },
  commands: { sandbox: false },
};

/** The teams that draws choose one of, beside the one with the worker. */
export const otherTeams: Readonly<Record<string, TeamDefinition>> = eightTeams;

/** The definition of a team of a draw. */
export function teamOf(teamId: string): TeamDefinition {
  const definition = teamId === REMOTE ? remote : otherTeams[teamId];
  if (definition === undefined) throw new Error(`No team of the draws is called ${teamId}.`);
  return definition;
}
