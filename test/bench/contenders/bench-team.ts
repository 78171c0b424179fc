import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { textOf } from "../../../shared/contract/message-text.ts";
import type { TaskResult } from "../../../shared/contract/team.ts";
import { INSTRUCTIONS, JOINER, type ModelAt } from "./contender.ts";

/** A team with one participant that takes one turn for each task, with the same model input as the bare loop. */
export function benchTeam(at: ModelAt): TeamDefinition {
  return {
    name: "bench",
    kind: "roundRobin",
    participants: [{ name: "writer", instructions: INSTRUCTIONS, context: { kind: "buffered", size: 1 } }],
    models: modelsAt(at),
    maxTurns: 1,
  };
}

/** A team that takes `maxTurns` turns for a task; each participant is shown the whole thread. */
export function conversationTeam(at: ModelAt, names: readonly string[], maxTurns: number): TeamDefinition {
  return { name: "talk", kind: "roundRobin", participants: names.map(assistant), models: modelsAt(at), maxTurns };
}

/** A graph in which all of `names` speak in parallel, then the joiner. */
export function branchingTeam(at: ModelAt, names: readonly string[]): TeamDefinition {
  return {
    name: "branches",
    kind: "graph",
    participants: [...names, JOINER].map(assistant),
    models: modelsAt(at),
    graph: { edges: names.map((from) => ({ from, to: JOINER })) },
  };
}

/** The texts of a run's participants. @throws the error of a failed run. */
export function participantTexts({ messages, status }: Pick<TaskResult, "messages" | "status">): string[] {
  if (status.code === "error") throw new Error(status.message);
  return messages.filter(isSaid).map(textOf);
}

const isSaid = ({ source }: ChatMessage): boolean => source !== "user";

const assistant = (name: string) => ({ name, instructions: INSTRUCTIONS });

const modelsAt = ({ baseUrl, model }: ModelAt): TeamDefinition["models"] => ({
  default: { provider: "openai", model, baseUrl },
});
