import type { Api } from "../api.ts";
import { type EndpointModel, isCompatible } from "../endpoint/endpoint-model.ts";
import { ChatAnswer } from "./chat/chat-answer.ts";
import { chatRequest } from "./chat/chat-request.ts";
import { ResponsesAnswer } from "./responses/responses-answer.ts";
import { responsesRequest } from "./responses/responses-request.ts";

/** The API that a definition names; without one, Chat Completions, which every compatible endpoint supports. */
export function apiOf(definition: EndpointModel): Api {
  const options = { hasThinkTags: isCompatible(definition), price: definition.price };
  return definition.api === "responses"
    ? {
        path: "/responses",
        body: ({ request }) => responsesRequest(definition, request),
        answer: () => new ResponsesAnswer(options),
      }
    : {
        path: "/chat/completions",
        body: ({ request, includeUsage }) => chatRequest(definition, request, includeUsage),
        answer: () => new ChatAnswer(options),
      };
}
