import type OpenAI from "openai";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { OpenAiModel } from "../../../shared/contract/definition.ts";
import type { Model, ModelCallContext, ModelPart, ModelRequest } from "../../engine/model.ts";
import { type Clock, systemClock } from "../clock.ts";
import { ChatAnswer } from "./chat-answer.ts";
import { chatRequest } from "./chat-request.ts";
import { assertNoCredentials, clientFor, type Endpoint, endpointOf } from "./endpoint.ts";
import { failureOf, reasonOf } from "./failure.ts";
import { faultOf } from "./fault.ts";
import { type Key, type KeySource, keyFor } from "./key.ts";
import { retriesOf, retryWait } from "./retry.ts";

/** What one call of the model has to hand in each of its attempts. */
interface Call {
  readonly key: Key;
  readonly body: ChatCompletionCreateParamsStreaming;
  readonly context: ModelCallContext;
}

/**
 * A model behind an OpenAI-compatible endpoint, asked through Chat Completions. `stream` yields each piece as it comes,
 * returns when it is aborted, and throws a GavelError of code ModelError when the endpoint fails for good.
 */
export function openAiModel(definition: OpenAiModel, keys: KeySource, clock: Clock = systemClock): Model {
  return new ChatModel(definition, keys, clock);
}

class ChatModel implements Model {
  readonly label: string;
  readonly #definition: OpenAiModel;
  readonly #endpoint: Endpoint;
  readonly #client: OpenAI;
  readonly #keys: KeySource;
  readonly #clock: Clock;

  constructor(definition: OpenAiModel, keys: KeySource, clock: Clock) {
    this.#definition = definition;
    this.#endpoint = endpointOf(definition);
    this.#client = clientFor(definition, this.#endpoint);
    this.#keys = keys;
    this.#clock = clock;
    this.label = this.#endpoint.label;
  }

  async *stream(request: ModelRequest, context: ModelCallContext): AsyncGenerator<ModelPart, void, undefined> {
    const { signal } = context;
    const call = await untilAborted(this.#prepare(request, context), signal);
    // The SDK never takes its listener off the signal it is given, so it gets one that lives no longer than this call.
    const closer = new AbortController();
    const close = (): void => closer.abort();
    signal.addEventListener("abort", close, { once: true });
    try {
      for (let attempt = 1; call !== undefined && !signal.aborted; attempt += 1) {
        const answer = new ChatAnswer();
        try {
          const { data, response } = await this.#open(call, closer.signal);
          for await (const chunk of data) {
            if (signal.aborted) return;
            for (let part = answer.take(chunk); part !== undefined; part = answer.more()) yield part;
          }
          // The SDK ends the stream of an aborted request as if it had been finished.
          if (!signal.aborted) yield* answer.rest(response.headers.get("content-type"));
          return;
        } catch (thrown) {
          if (!signal.aborted) await this.#recover(thrown, call, attempt, answer.begun);
        }
      }
    } finally {
      signal.removeEventListener("abort", close);
    }
  }

  async #prepare(request: ModelRequest, context: ModelCallContext): Promise<Call> {
    assertNoCredentials(this.#definition, this.#endpoint);
    const key = await keyFor(this.#definition, this.#endpoint, this.#keys);
    return { key, body: chatRequest(this.#definition, request), context };
  }

  #open({ key, body }: Call, signal: AbortSignal) {
    const headers = key.value === undefined ? {} : { Authorization: `Bearer ${key.value}` };
    return this.#client.chat.completions.create(body, { signal, headers }).withResponse();
  }

  /** Waits for the next attempt, having said so. @throws GavelError when there is to be none. */
  async #recover(thrown: unknown, { key, context }: Call, attempt: number, begun: boolean): Promise<void> {
    const fault = faultOf(thrown);
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
  }
}

/** Settles as `promise` does, or resolves with undefined at once when `signal` is aborted. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const give = (): void => resolve(undefined);
  signal.addEventListener("abort", give, { once: true });
  if (signal.aborted) give();
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", give);
  }
}
