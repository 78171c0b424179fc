import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { modelError } from "../../../shared/contract/errors.ts";
import type { Model } from "../model.ts";
import { modelFor } from "../model-choice.ts";
import type { TeamParts } from "../parts.ts";
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
  readonly parts: TeamParts;
  /** For a selector team of a program that uses the engine as a library. */
  readonly functions?: SelectorFunctions | undefined;
}

/** Creates the manager for a team's kind. */
export function createManager({ definition, parts, functions }: ManagerOptions): Manager {
  const { kind } = definition;
  switch (kind) {
    case "roundRobin":
      return roundRobinManager;
    case "selector":
      return selectorManager({ definition, model: () => modelOf(definition.selector?.model), ...functions });
    case "swarm":
      return swarmManager(definition);
    case "graph":
      return graphManager(definition);
    case "magentic":
      return magenticManager({ definition, model: () => modelOf(definition.magentic?.model) });
    default:
      return kind satisfies never;
  }

  /** @throws GavelError `ModelError` when the team has no model for its manager. */
  function modelOf(key: string | undefined): Model {
    const model = modelFor({ name: `The ${kind}`, model: key }, definition, parts.defaultModel);
    if (typeof model === "string") throw modelError(`${model}.`, { retryable: false, fix: "teamFile" });
    return parts.model(model);
  }
}
