import type { ModelDefinition } from "../../shared/contract/definition.ts";
import type { Model } from "../engine/model.ts";
import type { KeySource } from "./openai/endpoint/key.ts";
import { openAiModel } from "./openai/openai-model.ts";
import { practiceModel } from "./practice/practice-model.ts";

export type { KeySource } from "./openai/endpoint/key.ts";

/** The model that a definition describes. The network and `keys` are not used before its first request. */
export function createModel(definition: ModelDefinition, keys: KeySource): Model {
  switch (definition.provider) {
    case "openai":
    case "azure":
      return openAiModel(definition, keys);
    case "practice":
      return practiceModel(definition);
    default:
      return definition satisfies never;
  }
}
