import { createTeam, FunctionParticipant, type Team } from "../../../server/engine/index.ts";
import { type Keeper, SPEAKERS, WORDS } from "./keeper.ts";

/** Gavel's engine in memory, and `save`. */
export async function keep(): Promise<Keeper> {
  let team = talkers(1);
  return {
    async talk(turns) {
      team = talkers(turns);
      await team.run("Talk.");
    },
    savedBytes: () => Buffer.byteLength(JSON.stringify(team.save())),
  };
}

/** Two who stream forty words each time, and are shown the last ten messages. */
export function talkers(maxTurns: number): Team {
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
