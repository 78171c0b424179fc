import { unlessAborted } from "../engine/cancellation/unless-aborted.ts";
import type { Model, ModelCallContext, ModelPart, ModelRequest } from "../engine/model.ts";
import { systemTimers, type Timers } from "../engine/timers.ts";
import { joinedParts } from "./answer/joined-parts.ts";
import type { AnswerReader, Api, EndpointRequest } from "./api.ts";
import { apiOf } from "./api-of.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type AnswerLimits, limitsOf } from "./endpoint/answer-limits.ts";
import { assertNoCredentials, type Endpoint, endpointOf } from "./endpoint/endpoint.ts";
import type { EndpointModel } from "./endpoint/endpoint-model.ts";
import { IdleWatch } from "./endpoint/idle-watch.ts";
import { type Key, keyFor } from "./endpoint/key.ts";
import { assertAllowed, type EndpointAccess } from "./endpoint/permission.ts";
import { exceeded, failureOf } from "./failures/failure.ts";
import { fallbackFor } from "./failures/fallback.ts";
import { modelErrorFor, reasonOf } from "./failures/model-error.ts";
import { retriesOf, retryWait } from "./failures/retry.ts";
import { withImages } from "./images/attach-images.ts";
import { RedactedAnswer } from "./redaction/redacted-answer.ts";

/** What the attempts of one model call share. */
interface Call {
  readonly api: Api;
  readonly key: Key;
  readonly endpointRequest: EndpointRequest;
  /** How many attempts were made, including this one. */
  readonly attempt: number;
}

/**
 * A model behind an endpoint, over the API of its definition. `stream` yields
 * each part as it arrives, returns when it is aborted, and throws a GavelError of code ModelError when retries do not
 * help.
 */
export function httpModel(
  definition: EndpointModel,
  access: EndpointAccess,
  clock: Clock = systemClock,
  timers: Timers = systemTimers,
): Model {
  return new HttpModel(definition, access, clock, timers);
}

class HttpModel implements Model {
  readonly label: string;
  readonly #definition: EndpointModel;
  readonly #endpoint: Endpoint;
  readonly #access: EndpointAccess;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #limits: AnswerLimits;

  constructor(definition: EndpointModel, access: EndpointAccess, clock: Clock, timers: Timers) {
    this.#definition = definition;
    this.#endpoint = endpointOf(definition);
    this.#limits = limitsOf(definition);
    this.#access = access;
    this.#clock = clock;
    this.#timers = timers;
    this.label = this.#endpoint.label;
  }

  async *stream(request: ModelRequest, context: ModelCallContext): AsyncGenerator<ModelPart, void, undefined> {
    const { signal } = context;
    const { idleSeconds } = this.#limits;
    let call = await unlessAborted(this.#prepare(request, signal), signal);
    while (call !== undefined) {
      const answer = call.api.answer();
      const redacted = new RedactedAnswer(call.key.value);
      using watch = new IdleWatch(signal, idleSeconds * 1000, this.#timers);
      try {
        const { api, key, endpointRequest } = call;
        const opened = await api.open({ ...endpointRequest, key, signal: watch.signal });
        for await (const events of opened.events) {
          yield* untilAborted(joinedParts(partsIn(events, answer, redacted, watch)), watch.signal);
        }
        if (!signal.aborted) yield* redacted.finish(answer.finish(opened.end()));
        return;
      } catch (thrown) {
        if (signal.aborted) return;
        yield* redacted.finish([]);
        const cause = watch.isIdle ? exceeded("idleSeconds", idleText(idleSeconds)) : thrown;
        call = await this.#nextAttempt(cause, call, answer.hasStarted, context);
      }
    }
  }

  async #prepare(request: ModelRequest, signal: AbortSignal): Promise<Call> {
    assertNoCredentials(this.#definition, this.#endpoint);
    await assertAllowed(this.#definition, this.#endpoint, this.#access, signal);
    const key = await keyFor(this.#definition, this.#endpoint, this.#access);
    const route = { endpoint: this.#endpoint, limits: this.#limits, send: this.#access.send };
    return {
      api: apiOf(this.#definition, route),
      key,
      endpointRequest: { request: await withImages(request), includeUsage: true },
      attempt: 1,
    };
  }

  /**
   * The next attempt after a failed one: immediately without the option that the endpoint refused, or the same request
   * after a wait, which is reported; undefined when the wait was aborted. @throws GavelError when the call is not
   * retried.
   */
  async #nextAttempt(
    thrown: unknown,
    call: Call,
    hasStarted: boolean,
    context: ModelCallContext,
  ): Promise<Call | undefined> {
    const { key, attempt } = call;
    const failure = failureOf(thrown);
    const fallback = fallbackFor(failure, call.endpointRequest);
    if (fallback !== undefined) return { ...call, endpointRequest: fallback };
    const isLast = hasStarted || attempt > retriesOf(this.#definition.maxRetries);
    const waitMs = isLast ? undefined : retryWait(failure, attempt, this.#clock.now());
    if (waitMs === undefined)
      throw modelErrorFor(failure, { endpoint: this.#endpoint, key, attempts: attempt, hasStarted });
    context.onRetry({
      attempt,
      waitMs,
      reason: reasonOf(failure, this.#endpoint),
      ...("status" in failure && failure.status !== undefined ? { status: failure.status } : {}),
    });
    await this.#clock.wait(waitMs, context.signal);
    return context.signal.aborted ? undefined : { ...call, attempt: attempt + 1 };
  }
}

const idleText = (seconds: number): string =>
  `sent no part of an answer for ${seconds.toLocaleString("en-US")} seconds`;

/** The parts of a batch of events, as far as they can be passed on. */
function* partsIn(
  events: Iterable<unknown>,
  answer: AnswerReader,
  redacted: RedactedAnswer,
  watch: IdleWatch,
): Generator<ModelPart, void, undefined> {
  for (const event of events) {
    const { size } = answer;
    const first = answer.read(event);
    if (answer.size > size) watch.report();
    for (let part = first; part !== undefined; part = answer.nextPart()) {
      const passed = redacted.pass(part);
      if (passed !== undefined) yield passed;
    }
  }
}

function* untilAborted<T>(items: Iterable<T>, signal: AbortSignal): Generator<T, void, undefined> {
  for (const item of items) {
    if (signal.aborted) return;
    yield item;
  }
}
