import type { ModelDefinition, WorkerModel } from "../../shared/contract/definition.ts";
import { modelError } from "../../shared/contract/errors.ts";
import { modelInfo } from "../../shared/state/model-choice.ts";
import type { Model } from "../engine/model.ts";
import { type AskClient, clientModel } from "./client/client-model.ts";
import { fallbackModel } from "./fallback-model.ts";
import { httpModel } from "./http-model.ts";
import type { ModelAccess } from "./model-access.ts";
import { practiceModel } from "./practice/practice-model.ts";

export type { AskClient } from "./client/client-model.ts";
export type { KeySource } from "./endpoint/key.ts";
export type { EndpointQuestion } from "./endpoint/permission.ts";
export { blockedReason } from "./failures/blocked-text.ts";
export type { ModelAccess } from "./model-access.ts";
export { Network, type Send } from "./network/network.ts";
export { NetworkError } from "./network/network-error.ts";
export type { NetworkSettings } from "./network/network-settings.ts";
export type { Answer, Post } from "./network/send.ts";
export { RateLimits } from "./rate-limits/rate-limits.ts";

/**
 * The model that a definition describes. Neither the network nor `access` is used before its first request. `askClient` asks
 * the client's own models; without it there are none. `fallbacks` answer when it cannot.
 */
export function createModel(
  definition: ModelDefinition,
  access: ModelAccess,
  askClient: AskClient = withoutModels,
  fallbacks: readonly ModelDefinition[] = [],
): Model {
  const model = oneModel(definition, access, askClient);
  const info = modelInfo(definition);
  if (fallbacks.length === 0) return { info, label: model.label, stream: (...asked) => model.stream(...asked) };
  const others = fallbacks.map((other) => ({ info: modelInfo(other), model: oneModel(other, access, askClient) }));
  return fallbackModel({ info, model }, others);
}

function oneModel(definition: ModelDefinition, access: ModelAccess, askClient: AskClient): Model {
  switch (definition.provider) {
    case "openai":
    case "azure":
    case "anthropic":
    case "gemini":
      return httpModel(definition, access);
    case "vscode":
      return clientModel(definition, askClient);
    case "worker":
      return access.worker?.(definition) ?? withoutWorkers(definition);
    case "practice":
      return practiceModel(definition);
    default:
      return definition satisfies never;
  }
}

/** Where no workers are known, such as on a worker itself. */
const withoutWorkers = ({ model, on }: WorkerModel): Model => ({
  label: model,
  // biome-ignore lint/correctness/useYield: it never answers
  async *stream() {
    throw modelError(`The worker "${on.worker}" of the model ${model} cannot be reached from here.`, {
      retryable: false,
    });
  },
});

const withoutModels: AskClient = () => ({
  parts: (async function* () {})(),
  result: Promise.resolve({ failure: "notFound", message: "there is no client" }),
});
