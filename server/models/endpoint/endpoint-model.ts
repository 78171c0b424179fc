import type { AnthropicModel, AzureModel, GeminiModel, OpenAiModel } from "../../../shared/contract/definition.ts";

/** A model behind one of OpenAI's APIs, wherever it is hosted. */
export type OpenAiApiModel = OpenAiModel | AzureModel;

/** A model behind an endpoint. */
export type EndpointModel = OpenAiApiModel | AnthropicModel | GeminiModel;

/** The model's name at the endpoint. */
export const modelName = (definition: EndpointModel): string =>
  definition.provider === "azure" ? definition.deployment : definition.model;

/** Whether the endpoint is neither OpenAI nor Azure but compatible with their APIs, usually with small differences. */
export const isCompatible = (definition: OpenAiApiModel): boolean =>
  definition.provider === "openai" && definition.baseUrl !== undefined;
