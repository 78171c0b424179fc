import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import type { CurrentModels } from "../current-models.ts";
import { graphManager } from "./graph/graph-manager.ts";
import { magenticManager } from "./magentic/magentic-manager.ts";
import type { Manager } from "./manager.ts";
import { roundRobinManager } from "./round-robin-manager.ts";
import { type SelectorOptions, selectorManager } from "./selector/selector-manager.ts";
import { swarmManager } from "./swarm-manager.ts";

/**
 * Functions that select a selector team's speaker, or narrow the candidates (AutoGen's selector_func and candidate_func).
 */
export type SelectorFunctions = Pick<SelectorOptions, "choose" | "candidates">;

export interface ManagerOptions {
  readonly definition: TeamDefinition;
  readonly models: CurrentModels;
  /** For a selector team of a program that uses the engine as a library. */
  readonly functions?: SelectorFunctions | undefined;
}

/** Creates the manager for a team's kind. */
export function createManager({ definition, models, functions }: ManagerOptions): Manager {
  const { kind } = definition;
  switch (kind) {
    case "roundRobin":
      return roundRobinManager;
    case "selector":
      return selectorManager({ definition, model: () => models.forManager(definition.selector?.model), ...functions });
    case "swarm":
      return swarmManager(definition);
    case "graph":
      return graphManager(definition);
    case "magentic":
      return magenticManager({ definition, model: () => models.forManager(definition.magentic?.model) });
    default:
      return kind satisfies never;
  }
}
