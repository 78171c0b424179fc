import { createTeam, FunctionParticipant, type Team } from "../../../server/engine/index.ts";
import { SPEAKERS, type ThreadSaver, WORDS } from "./saver.ts";

/** Gavel's engine in memory, and `save`. */
export async function createSaver(): Promise<ThreadSaver> {
  let team = streamingTeam(1);
  return {
    async converse(turns) {
      team = streamingTeam(turns);
      await team.run("Talk.");
    },
    savedBytes: () => Buffer.byteLength(JSON.stringify(team.save())),
  };
}

/** Two participants that stream forty words each turn and are shown the last ten messages. */
export function streamingTeam(maxTurns: number): Team {
  const speak = async function* (): AsyncGenerator<string> {
    yield* WORDS;
  };
  return createTeam({
    teamId: "talkers",
    definition: {
      name: "talkers",
      kind: "roundRobin",
      participants: SPEAKERS.map((name) => ({ name, context: { kind: "buffered", size: 10 } })),
      maxTurns,
    },
    parts: {
      model: () => {
        throw new Error("These participants have no model.");
      },
      tool: () => undefined,
      participant: ({ name }) => new FunctionParticipant(name, speak),
    },
  });
}
