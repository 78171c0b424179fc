import { anthropicApi } from "./anthropic/anthropic-api.ts";
import type { Api, ApiRoute } from "./api.ts";
import type { EndpointModel } from "./endpoint/endpoint-model.ts";
import { geminiApi } from "./gemini/gemini-api.ts";
import { openAiApi } from "./openai/openai-api.ts";

/** The API of a model's endpoint. */
export function apiOf(definition: EndpointModel, route: ApiRoute): Api {
  switch (definition.provider) {
    case "openai":
    case "azure":
      return openAiApi(definition, route);
    case "anthropic":
      return anthropicApi(definition, route);
    case "gemini":
      return geminiApi(definition, route);
    default:
      return definition satisfies never;
  }
}
