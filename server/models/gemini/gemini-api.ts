import type { GeminiModel } from "../../../shared/contract/definition.ts";
import type { Api, ApiRoute } from "../api.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { sdkFetch } from "../sdk-fetch.ts";
import { contentEvents } from "./content-api.ts";
import { GeminiAnswer } from "./gemini-answer.ts";
import { geminiRequest } from "./gemini-request.ts";

/** The SDK's other headers are about this machine. */
const HEADERS = ["content-type"];
const KEY_HEADER = "x-goog-api-key";

/** The Gemini API, through its SDK. */
export function geminiApi(definition: GeminiModel, route: ApiRoute): Api {
  return {
    answer: () => new GeminiAnswer(definition.model, definition.price),
    async open({ request, key, signal }) {
      let contentType: string | undefined;
      const headers = key.value === undefined ? HEADERS : [...HEADERS, KEY_HEADER];
      const fetch = sdkFetch({ ...route, headers, hasNames: false }, (type) => {
        contentType = type;
      });
      const client = { ...addressOf(route.endpoint), key: key.value, fetch };
      return {
        events: contentEvents(client, geminiRequest(definition, request), signal),
        end: () => ({ contentType, isDone: true }),
      };
    },
  };
}

/** The SDK adds the version of the API, the newest stable one unless the address names another. */
function addressOf({ baseUrl }: Endpoint): { readonly baseUrl: string; readonly apiVersion?: string } {
  const [, address, apiVersion] = /^(.*)\/(v\d+[a-z0-9]*)$/.exec(baseUrl) ?? [];
  return address === undefined || apiVersion === undefined ? { baseUrl } : { baseUrl: address, apiVersion };
}
