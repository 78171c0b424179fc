import type { AnthropicModel } from "../../../shared/contract/definition.ts";
import type { Api, ApiRoute } from "../api.ts";
import { sdkFetch } from "../sdk-fetch.ts";
import { AnthropicAnswer } from "./anthropic-answer.ts";
import { anthropicRequest } from "./anthropic-request.ts";
import { messageEvents } from "./messages-api.ts";

/** The SDK's other headers are about this machine. */
const HEADERS = ["accept", "content-type", "anthropic-version", "authorization"];

/** Anthropic's Messages API, through its SDK. */
export function anthropicApi(definition: AnthropicModel, route: ApiRoute): Api {
  const { baseUrl } = route.endpoint;
  return {
    answer: () => new AnthropicAnswer(definition.model, definition.price),
    async open({ request, key, signal }) {
      let contentType: string | undefined;
      const fetch = sdkFetch({ ...route, headers: HEADERS, hasNames: true }, (type) => {
        contentType = type;
      });
      // The SDK's paths have the version; an address with it, as for other providers, is accepted too.
      const client = { baseUrl: baseUrl.replace(/\/v1$/, ""), key: key.value, fetch };
      return {
        events: messageEvents(client, anthropicRequest(definition, request), signal),
        end: () => ({ contentType, isDone: true }),
      };
    },
  };
}
