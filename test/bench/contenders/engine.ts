import { createTeam, type Team } from "../../../server/engine/index.ts";
import { createModel } from "../../../server/models/index.ts";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { benchTeam, branchingTeam, saidIn, talkingTeam } from "./bench-team.ts";
import { type Branches, type Contender, type ModelAt, type OnText, QUESTION, type Talkers } from "./contender.ts";

/** Gavel's engine in this process: one team that lives through all turns, so that its growing thread is in the time. */
export async function start(at: ModelAt): Promise<Contender> {
  const { team, showTo } = teamOf(benchTeam(at));
  return {
    async turn(onText, signal) {
      showTo(onText);
      const interrupt = (): void => void team.interrupt();
      signal.addEventListener("abort", interrupt);
      const result = await team.run(QUESTION);
      signal.removeEventListener("abort", interrupt);
      return saidIn(result).at(-1) ?? "";
    },
  };
}

/** A round-robin team, emptied before each talk. */
export async function startTalkers(at: ModelAt, names: readonly string[]): Promise<Talkers> {
  const teams = new Map<number, ReturnType<typeof teamOf>>();
  return {
    async talk(turns, onText) {
      const talking = teams.get(turns) ?? teamOf(talkingTeam(at, names, turns));
      teams.set(turns, talking);
      talking.showTo(onText);
      talking.team.reset();
      return saidIn(await talking.team.run(QUESTION));
    },
  };
}

/** A graph team, emptied before each flow. */
export async function startBranches(at: ModelAt, names: readonly string[]): Promise<Branches> {
  const { team, showTo } = teamOf(branchingTeam(at, names));
  return {
    async flow(onText) {
      showTo(onText);
      team.reset();
      return saidIn(await team.run(QUESTION));
    },
  };
}

function teamOf(definition: TeamDefinition): { readonly team: Team; readonly showTo: (onText: OnText) => void } {
  const team = createTeam({
    teamId: "bench",
    definition,
    parts: {
      model: (model) => createModel(model, { get: async () => null }),
      tool: () => undefined,
    },
  });
  let show: OnText = () => {};
  team.onEvent((event) => {
    if (event.type === "message/chunk") show(event.delta);
  });
  return {
    team,
    showTo: (onText) => {
      show = onText;
    },
  };
}
