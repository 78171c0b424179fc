import type { GavelError } from "../../shared/contract/errors.ts";
import { unlessAborted } from "../engine/cancellation/unless-aborted.ts";
import type { Model, ModelCallContext, ModelPart, ModelRequest } from "../engine/model.ts";
import { systemTimers, type Timers } from "../engine/timers.ts";
import { joinedParts } from "./answer/joined-parts.ts";
import type { AnswerReader, Api, ApiRoute, EndpointRequest } from "./api.ts";
import { apiOf } from "./api-of.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type AnswerLimits, limitsOf } from "./endpoint/answer-limits.ts";
import { assertNoCredentials, type Endpoint, endpointOf } from "./endpoint/endpoint.ts";
import type { EndpointModel } from "./endpoint/endpoint-model.ts";
import { IdleWatch } from "./endpoint/idle-watch.ts";
import { type Key, keyFor } from "./endpoint/key.ts";
import { assertAllowed } from "./endpoint/permission.ts";
import { exceeded, type Failure, failureOf } from "./failures/failure.ts";
import { fallbackFor } from "./failures/fallback.ts";
import { modelErrorFor, reasonOf } from "./failures/model-error.ts";
import { isRateLimit, requestedWait, retriesOf, retryWait } from "./failures/retry.ts";
import { withImages } from "./images/attach-images.ts";
import type { ModelAccess } from "./model-access.ts";
import { send } from "./network/send.ts";
import type { Lane, Place } from "./rate-limits/lane.ts";
import { RateLimits } from "./rate-limits/rate-limits.ts";
import { RedactedAnswer } from "./redaction/redacted-answer.ts";

/** What the attempts of one model call share. */
interface Call {
  readonly api: (route: ApiRoute) => Api;
  readonly key: Key;
  readonly endpointRequest: EndpointRequest;
  /** How many attempts were made, including this one, without those that gave way. */
  readonly attempt: number;
  /** How often the endpoint took other requests instead. */
  readonly gaveWay: number;
  readonly lane: Lane;
  readonly ticket: number;
  /** It has been reported that the next attempt waits. */
  readonly isAnnounced: boolean;
}

/** How often a request may give way before that counts as a failed attempt: far more than happens where it has a chance. */
const MOST_GIVEN_WAY = 100;

/**
 * A model behind an endpoint, over the API of its definition. `stream` yields
 * each part as it arrives, returns when it is aborted, and throws a GavelError of code ModelError when retries do not
 * help.
 */
export function httpModel(
  definition: EndpointModel,
  access: ModelAccess,
  clock: Clock = systemClock,
  timers: Timers = systemTimers,
): Model {
  return new HttpModel(definition, access, clock, timers);
}

class HttpModel implements Model {
  readonly label: string;
  readonly #definition: EndpointModel;
  readonly #endpoint: Endpoint;
  readonly #access: ModelAccess;
  readonly #clock: Clock;
  readonly #timers: Timers;
  readonly #limits: AnswerLimits;
  readonly #rates: RateLimits;

  constructor(definition: EndpointModel, access: ModelAccess, clock: Clock, timers: Timers) {
    this.#definition = definition;
    this.#endpoint = endpointOf(definition);
    this.#limits = limitsOf(definition);
    this.#access = access;
    this.#rates = access.rates ?? new RateLimits(clock);
    this.#clock = clock;
    this.#timers = timers;
    this.label = this.#endpoint.label;
  }

  async *stream(request: ModelRequest, context: ModelCallContext): AsyncGenerator<ModelPart, void, undefined> {
    const { signal } = context;
    const { idleSeconds } = this.#limits;
    let call = await unlessAborted(this.#prepare(request, signal), signal);
    while (call !== undefined) {
      using place = await this.#enter(call, context);
      if (place === undefined || signal.aborted) return;
      const api = call.api(this.#route(place));
      const answer = api.answer();
      const redacted = new RedactedAnswer(call.key.value);
      using watch = new IdleWatch(signal, idleSeconds * 1000, this.#timers);
      try {
        const { key, endpointRequest } = call;
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
        call = await this.#nextAttempt(cause, call, place, answer.hasStarted, context);
      }
    }
  }

  async #prepare(request: ModelRequest, signal: AbortSignal): Promise<Call> {
    assertNoCredentials(this.#definition, this.#endpoint);
    await assertAllowed(this.#definition, this.#endpoint, this.#access, signal);
    const key = await keyFor(this.#definition, this.#endpoint, this.#access);
    const endpointRequest = { request: await withImages(request), includeUsage: true };
    const api = await apiOf(this.#definition);
    const lane = this.#rates.lane(this.#endpoint, key.origin);
    return { api, key, endpointRequest, attempt: 1, gaveWay: 0, lane, ticket: lane.ticket(), isAnnounced: false };
  }

  /**
   * Waits until the endpoint takes the request; undefined when that is interrupted.
   * @throws GavelError when that would take too long where another model could answer.
   */
  async #enter(call: Call, { signal, onWait, longestWaitMs }: ModelCallContext): Promise<Place | undefined> {
    const { lane, ticket, isAnnounced } = call;
    let waits = false;
    try {
      return await lane.enter({
        ticket,
        signal,
        isAnnounced,
        longestWaitMs,
        onWait: (until) => {
          waits = true;
          onWait?.({ endpoint: this.#endpoint.host, ...(until === undefined ? {} : { until }) });
        },
      });
    } catch (thrown) {
      throw this.#errorFor(failureOf(thrown), call, false);
    } finally {
      if (waits && !signal.aborted) onWait?.(undefined);
    }
  }

  /** All requests wait as long as the endpoint asks. @throws GavelError where another model could answer meanwhile. */
  #pause(waitMs: number, call: Call, { longestWaitMs = waitMs }: ModelCallContext): void {
    call.lane.pause(waitMs);
    if (waitMs > longestWaitMs) throw this.#errorFor({ kind: "asksToWait", waitMs }, call, false);
  }

  #errorFor(failure: Failure, { key, attempt }: Call, hasStarted: boolean): GavelError {
    return modelErrorFor(failure, { endpoint: this.#endpoint, key, attempts: attempt, hasStarted });
  }

  /** The way to the endpoint, whose answers tell the lane of the request about its limits. */
  #route(place: Place): ApiRoute {
    const { send: sends = send } = this.#access;
    return {
      endpoint: this.#endpoint,
      limits: this.#limits,
      send: async (url, post) => {
        const answer = await sends(url, post);
        place.answered(answer);
        return answer;
      },
    };
  }

  /**
   * The next attempt after a failed one: immediately without the option that the endpoint refused, or the same request
   * after a wait, which is reported; undefined when the wait was aborted. Where the endpoint asks to wait, all requests to
   * it do. @throws GavelError when the call is not retried.
   */
  async #nextAttempt(
    thrown: unknown,
    call: Call,
    place: Place,
    hasStarted: boolean,
    context: ModelCallContext,
  ): Promise<Call | undefined> {
    const { attempt } = call;
    const failure = failureOf(thrown);
    const fallback = fallbackFor(failure, call.endpointRequest);
    const now = this.#clock.now();
    const ownWait = hasStarted ? undefined : retryWait(failure, attempt, now);
    const requested = ownWait === undefined ? undefined : requestedWait(failure, now);
    const refused = ownWait !== undefined && isRateLimit(failure) ? place.refused(requested) : undefined;
    place[Symbol.dispose]();
    if (fallback !== undefined) return { ...call, endpointRequest: fallback, isAnnounced: false };
    if (requested !== undefined) this.#pause(requested, call, context);
    const givesWay = refused?.gaveWay === true && call.gaveWay < MOST_GIVEN_WAY;
    const isLast = !givesWay && attempt > retriesOf(this.#definition.maxRetries);
    if (ownWait === undefined || isLast) throw this.#errorFor(failure, call, hasStarted);
    const waitMs = refused?.waitMs ?? ownWait;
    if (waitMs > 0 || refused === undefined) {
      context.onRetry({
        attempt,
        waitMs,
        reason: reasonOf(failure, this.#endpoint),
        ...("status" in failure && failure.status !== undefined ? { status: failure.status } : {}),
      });
    }
    if (requested === undefined && refused === undefined) await this.#clock.wait(waitMs, context.signal);
    if (context.signal.aborted) return undefined;
    const count = givesWay ? { gaveWay: call.gaveWay + 1 } : { attempt: attempt + 1 };
    return { ...call, ...count, isAnnounced: waitMs > 0 };
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
