import { createTeam, type Team } from "../../../server/engine/index.ts";
import { createModel } from "../../../server/models/index.ts";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { benchTeam, branchingTeam, conversationTeam, participantTexts } from "./bench-team.ts";
import {
  type BranchContender,
  type Contender,
  type ConversationContender,
  type ModelAt,
  type OnText,
  QUESTION,
} from "./contender.ts";

/** Gavel's engine in this process: one team for all turns, so that the cost of its growing thread is included. */
export async function start(at: ModelAt): Promise<Contender> {
  const { team, showTo } = teamOf(benchTeam(at));
  return {
    async turn(onText, signal) {
      showTo(onText);
      const interrupt = (): void => void team.interrupt();
      signal.addEventListener("abort", interrupt);
      const result = await team.run(QUESTION);
      signal.removeEventListener("abort", interrupt);
      return participantTexts(result).at(-1) ?? "";
    },
  };
}

/** A round-robin team, reset before each conversation. */
export async function startConversation(at: ModelAt, names: readonly string[]): Promise<ConversationContender> {
  const teams = new Map<number, ReturnType<typeof teamOf>>();
  return {
    async converse(turns, onText) {
      const talking = teams.get(turns) ?? teamOf(conversationTeam(at, names, turns));
      teams.set(turns, talking);
      talking.showTo(onText);
      talking.team.reset();
      return participantTexts(await talking.team.run(QUESTION));
    },
  };
}

/** A graph team, reset before each run. */
export async function startBranches(at: ModelAt, names: readonly string[]): Promise<BranchContender> {
  const { team, showTo } = teamOf(branchingTeam(at, names));
  return {
    async runBranches(onText) {
      showTo(onText);
      team.reset();
      return participantTexts(await team.run(QUESTION));
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
