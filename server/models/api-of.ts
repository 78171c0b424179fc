import type { Api, ApiRoute } from "./api.ts";
import type { EndpointModel } from "./endpoint/endpoint-model.ts";
import { openAiApi } from "./openai/openai-api.ts";

/** The API of a model's endpoint, for a way to it. An API with an SDK is loaded with its first request. */
export async function apiOf(definition: EndpointModel): Promise<(route: ApiRoute) => Api> {
  switch (definition.provider) {
    case "openai":
    case "azure":
      return (route) => openAiApi(definition, route);
    case "anthropic": {
      const { anthropicApi } = await import("./anthropic/anthropic-api.ts");
      return (route) => anthropicApi(definition, route);
    }
    case "gemini": {
      const { geminiApi } = await import("./gemini/gemini-api.ts");
      return (route) => geminiApi(definition, route);
    }
    default:
      return definition satisfies never;
  }
}
