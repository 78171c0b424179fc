import type { AzureModel, OpenAiModel } from "../../../../shared/contract/definition.ts";

/** A model that is asked over OpenAI's APIs, wherever it is. */
export type EndpointModel = OpenAiModel | AzureModel;

/** The name under which the endpoint knows the model. */
export const modelName = (definition: EndpointModel): string =>
  definition.provider === "azure" ? definition.deployment : definition.model;

/** Whether it is at neither OpenAI nor Azure but at an endpoint that speaks their APIs, most of them a little otherwise. */
export const isCompatible = (definition: EndpointModel): boolean =>
  definition.provider === "openai" && definition.baseUrl !== undefined;
