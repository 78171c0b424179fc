import type { ModelDefinition, ParticipantDefinition, TeamDefinition } from "../contract/definition.ts";
import type { ModelFacts, ModelInfo } from "../contract/model-choice.ts";
import type { ParticipantInfo } from "../contract/team.ts";
import { ownValue } from "../json-record.ts";

/**
 * The model of a participant: the one it names in the team's `models`, else `default`, else the only one, else `fallback`
 * (the host's setting). Returns a string that says why if there is none.
 */
export function modelFor(
  participant: Pick<ParticipantDefinition, "name" | "model">,
  team: Pick<TeamDefinition, "models">,
  fallback: ModelDefinition | undefined,
): ModelDefinition | string {
  const models = team.models ?? {};
  const keys = Object.keys(models);
  if (participant.model !== undefined) {
    const listed = keys.length === 0 ? "the team has none" : `the team has ${keys.join(", ")}`;
    return ownValue(models, participant.model) ?? `there is no model "${participant.model}" in models; ${listed}`;
  }
  const [only] = keys.length === 1 ? keys : [];
  const model = models["default"] ?? (only === undefined ? undefined : models[only]) ?? fallback;
  return (
    model ?? `${participant.name} has no model; add models.default to the team, or set gavel.model in the settings`
  );
}

/** A model as users see it. */
export function modelInfo(model: ModelDefinition): ModelInfo {
  const { provider } = model;
  switch (provider) {
    case "openai":
    case "anthropic":
    case "gemini":
      return {
        provider,
        name: model.model,
        ...(model.baseUrl === undefined ? {} : { origin: originOf(model.baseUrl) }),
      };
    case "azure":
      return { provider, name: model.deployment, origin: originOf(model.endpoint) };
    case "vscode":
      return {
        provider,
        ...(model.model === undefined ? {} : { name: model.model }),
        ...(model.vendor === undefined ? {} : { vendor: model.vendor }),
      };
    case "worker":
      return { provider, name: model.model, worker: model.on.worker };
    case "practice":
      return { provider };
    default:
      return provider satisfies never;
  }
}

/** A model as users choose it. */
export function modelFacts(model: ModelDefinition): ModelFacts {
  const info = modelInfo(model);
  if (model.provider === "practice") return info;
  const { contextWindow, price } = model;
  return {
    ...info,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(price === undefined ? {} : { price: { prompt: price.prompt, completion: price.completion } }),
  };
}

/** Without a name or password that the address may have. */
const originOf = (url: string): string =>
  url.replace(/^(https?:\/\/)(?:[^/?#]*@)?([^/?#]*).*$/is, "$1$2").toLowerCase();

/** Whether a participant asks a model of the team: not a user, nor a nested team, a program, or one that runs elsewhere. */
export const usesModel = ({
  kind = "assistant",
  on,
  worker,
}: Pick<ParticipantDefinition, "kind" | "on"> & Pick<ParticipantInfo, "worker">): boolean =>
  on === undefined && worker === undefined && (kind === "assistant" || kind === "societyOfMind");
