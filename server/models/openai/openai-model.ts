import type OpenAI from "openai";
import { unlessAborted } from "../../engine/cancellation/unless-aborted.ts";
import type { Model, ModelCallContext, ModelPart, ModelRequest } from "../../engine/model.ts";
import { type Clock, systemClock } from "../clock.ts";
import { withImages } from "../images/attach-images.ts";
import { eventsOf } from "./answer/server-sent-events.ts";
import type { Api, Question, StreamedAnswer } from "./api.ts";
import { apiOf } from "./api-of.ts";
import { clientFor, keyHeaders } from "./endpoint/client.ts";
import { assertNoCredentials, type Endpoint, endpointOf } from "./endpoint/endpoint.ts";
import type { EndpointModel } from "./endpoint/endpoint-model.ts";
import { type Key, type KeySource, keyFor } from "./endpoint/key.ts";
import { faultOf } from "./failures/failure.ts";
import { concededTo } from "./failures/fallback.ts";
import { failureOf, reasonOf } from "./failures/model-error.ts";
import { retriesOf, retryWait } from "./failures/retry.ts";

/** What one call of the model has to hand in each of its attempts. */
interface Call {
  readonly key: Key;
  readonly question: Question;
  /** How many attempts have been made, this one included. */
  readonly attempt: number;
}

/**
 * A model behind an OpenAI-compatible endpoint or an Azure deployment, asked through the API of its definition. `stream` yields
 * each piece as it comes, returns when it is aborted, and throws a GavelError of code ModelError when the endpoint fails for good.
 */
export function openAiModel(definition: EndpointModel, keys: KeySource, clock: Clock = systemClock): Model {
  return new OpenAiEndpoint(definition, keys, clock);
}

class OpenAiEndpoint implements Model {
  readonly label: string;
  readonly #definition: EndpointModel;
  readonly #endpoint: Endpoint;
  readonly #client: OpenAI;
  readonly #api: Api;
  readonly #keys: KeySource;
  readonly #clock: Clock;

  constructor(definition: EndpointModel, keys: KeySource, clock: Clock) {
    this.#definition = definition;
    this.#endpoint = endpointOf(definition);
    this.#client = clientFor(definition, this.#endpoint);
    this.#api = apiOf(definition);
    this.#keys = keys;
    this.#clock = clock;
    this.label = this.#endpoint.label;
  }

  async *stream(request: ModelRequest, context: ModelCallContext): AsyncGenerator<ModelPart, void, undefined> {
    const { signal } = context;
    // The SDK leaves its listener on a signal until the request is garbage collected, so it gets a signal of this call alone.
    const closer = new AbortController();
    const close = (): void => closer.abort();
    signal.addEventListener("abort", close, { once: true });
    try {
      let call = await unlessAborted(this.#prepare(request), signal);
      while (call !== undefined) {
        const answer = this.#api.answer();
        try {
          const response = await this.#open(call, closer.signal);
          let last = "";
          for await (const events of eventsOf(response.body ?? [])) {
            for (const part of partsIn(events, answer)) {
              if (signal.aborted) return;
              yield part;
            }
            last = events.at(-1) ?? last;
          }
          const end = { contentType: response.headers.get("content-type"), isDone: isDone(last) };
          if (!signal.aborted) yield* answer.rest(end);
          return;
        } catch (thrown) {
          if (signal.aborted) return;
          call = await this.#again(thrown, call, answer.begun, context);
        }
      }
    } finally {
      signal.removeEventListener("abort", close);
    }
  }

  async #prepare(request: ModelRequest): Promise<Call> {
    assertNoCredentials(this.#definition, this.#endpoint);
    const key = await keyFor(this.#definition, this.#endpoint, this.#keys);
    return { key, question: { request: await withImages(request), asksUsage: true }, attempt: 1 };
  }

  #open({ key, question }: Call, signal: AbortSignal): Promise<Response> {
    const headers = keyHeaders(this.#definition, key);
    return this.#client.post(this.#api.path, { body: this.#api.body(question), signal, headers }).asResponse();
  }

  /**
   * The call to make after a failed one: at once with a request that the endpoint may take, where it said what it does not, else
   * the same after a wait that is told; undefined when the wait was aborted. @throws GavelError when there is to be none.
   */
  async #again(thrown: unknown, call: Call, begun: boolean, context: ModelCallContext): Promise<Call | undefined> {
    const { key, attempt } = call;
    const fault = faultOf(thrown);
    const question = concededTo(fault, call.question);
    if (question !== undefined) return { ...call, question };
    const isLast = begun || attempt > retriesOf(this.#definition.maxRetries);
    const waitMs = isLast ? undefined : retryWait(fault, attempt, this.#clock.now());
    if (waitMs === undefined) throw failureOf(fault, { endpoint: this.#endpoint, key, attempts: attempt, begun });
    context.onRetry({
      attempt,
      waitMs,
      reason: reasonOf(fault, this.#endpoint),
      ...("status" in fault && fault.status !== undefined ? { status: fault.status } : {}),
    });
    await this.#clock.wait(waitMs, context.signal);
    return context.signal.aborted ? undefined : { ...call, attempt: attempt + 1 };
  }
}

/** What is to be told of events that have arrived. */
function* partsIn(events: readonly string[], answer: StreamedAnswer): Generator<ModelPart, void, undefined> {
  for (const event of events) {
    if (isDone(event)) return;
    for (let part = answer.take(JSON.parse(event)); part !== undefined; part = answer.more()) yield part;
  }
}

/** How endpoints end a stream, beside closing it. */
const isDone = (event: string): boolean => event.startsWith("[DONE]");
