import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { INSTRUCTIONS, type ModelAt } from "./contender.ts";

/** A team of one that takes one turn for each task, and shows its model what a bare loop shows its own. */
export function benchTeam({ baseUrl, model }: ModelAt): TeamDefinition {
  return {
    name: "bench",
    kind: "roundRobin",
    participants: [{ name: "writer", instructions: INSTRUCTIONS, context: { kind: "buffered", size: 1 } }],
    models: { default: { provider: "openai", model, baseUrl } },
    maxTurns: 1,
  };
}
