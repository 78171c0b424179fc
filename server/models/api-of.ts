import type { Api, ApiRoute } from "./api.ts";
import type { EndpointModel } from "./endpoint/endpoint-model.ts";
import { openAiApi } from "./openai/openai-api.ts";

/** The API of a model's endpoint. Those with an SDK are loaded when they are first used. */
export async function apiOf(definition: EndpointModel, route: ApiRoute): Promise<Api> {
  switch (definition.provider) {
    case "openai":
    case "azure":
      return openAiApi(definition, route);
    case "anthropic": {
      const { anthropicApi } = await import("./anthropic/anthropic-api.ts");
      return anthropicApi(definition, route);
    }
    case "gemini": {
      const { geminiApi } = await import("./gemini/gemini-api.ts");
      return geminiApi(definition, route);
    }
    default:
      return definition satisfies never;
  }
}
