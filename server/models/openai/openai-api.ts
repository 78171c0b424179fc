import { eventsOf } from "../answer/server-sent-events.ts";
import type { AnswerReader, Api, ApiRoute, EndpointRequest } from "../api.ts";
import { requestAddress } from "../endpoint/endpoint.ts";
import { isCompatible, type OpenAiApiModel } from "../endpoint/endpoint-model.ts";
import { headersFor } from "../endpoint/headers.ts";
import { post } from "../post.ts";
import { ChatAnswer } from "./chat/chat-answer.ts";
import { chatRequest } from "./chat/chat-request.ts";
import { ResponsesAnswer } from "./responses/responses-answer.ts";
import { responsesRequest } from "./responses/responses-request.ts";

/** One of OpenAI's APIs: where a request is sent, how it is written, and how its answer is read. */
interface Format {
  /** Relative to the endpoint's base URL. */
  readonly path: string;
  body(request: EndpointRequest): object;
  answer(): AnswerReader;
}

/** The API that a definition names; without one, Chat Completions, which every compatible endpoint supports. */
export function openAiApi(definition: OpenAiApiModel, { endpoint, limits, send }: ApiRoute): Api {
  const { path, body: bodyOf, answer } = formatOf(definition);
  const address = requestAddress(endpoint, path);
  return {
    answer,
    async open({ key, signal, ...request }) {
      const body = JSON.stringify(bodyOf(request));
      const response = await post(address, { headers: headersFor(definition, key), body, signal }, send);
      let last = "";
      async function* batches() {
        for await (const events of eventsOf(response.body, limits)) {
          last = events.at(-1) ?? last;
          yield parsed(events);
        }
      }
      return {
        events: batches(),
        end: () => ({ contentType: response.headers["content-type"], isDone: isDone(last) }),
      };
    },
  };
}

function formatOf(definition: OpenAiApiModel): Format {
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

/** Each event is parsed when it is read, so that those before a malformed one count. */
function* parsed(events: readonly string[]): Generator<unknown, void, undefined> {
  for (const event of events) {
    if (isDone(event)) return;
    yield JSON.parse(event);
  }
}

/** How endpoints mark the end of a stream before they close it. */
const isDone = (event: string): boolean => event.startsWith("[DONE]");
