import type { ModelInfo } from "../../shared/contract/model-choice.ts";
import type { Model, ModelCallContext, ModelPart, ModelRequest } from "../engine/model.ts";
import { type Clock, systemClock } from "./clock.ts";
import { failoverOf } from "./failures/failover.ts";

/** One of the models that may answer. */
export interface Candidate {
  readonly info: ModelInfo;
  readonly model: Model;
}

/** How long a model that was out of order is not asked, in milliseconds, if its endpoint does not say. */
const REST_MS = 60_000;

/** How long a model's endpoint is waited for while another one could answer, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;

/**
 * The first of these models that answers. One that fails in the middle of a text is continued by the next, as after an
 * interrupt; nothing is passed on twice. What answered instead, and why, is reported before it is asked.
 */
export function fallbackModel(first: Candidate, others: readonly Candidate[], clock: Clock = systemClock): Model {
  return new FallbackModel([first, ...others], clock);
}

/** Why a model is not asked for a while. */
interface Rest {
  readonly until: number;
  readonly reason: string;
}

class FallbackModel implements Model {
  readonly label: string;
  readonly info: ModelInfo | undefined;
  readonly #candidates: readonly Candidate[];
  readonly #clock: Clock;
  readonly #rests = new Map<Candidate, Rest>();

  constructor(candidates: readonly Candidate[], clock: Clock) {
    this.#candidates = candidates;
    this.#clock = clock;
    this.label = candidates[0]?.model.label ?? "";
    this.info = candidates[0]?.info;
  }

  async *stream(request: ModelRequest, context: ModelCallContext): AsyncGenerator<ModelPart, void, undefined> {
    const said: Said = { text: "", hasCalls: false };
    const order = this.#order();
    let candidate = order.shift();
    this.#reportRest(candidate, context);
    while (candidate !== undefined) {
      try {
        yield* partsOf(candidate.model, request, order.length === 0 ? context : notWaiting(context), said);
        return;
      } catch (error) {
        if (context.signal.aborted) return;
        const next = order.shift();
        const failover = said.hasCalls ? undefined : failoverOf(error);
        if (failover === undefined || next === undefined) throw error;
        const { kind, reason, restMs = REST_MS } = failover;
        if (kind === "outage") this.#rests.set(candidate, { until: this.#clock.now() + restMs, reason });
        context.onFallback?.({ from: candidate.info, to: next.info, reason });
        candidate = next;
      }
    }
  }

  /** Where the first model rests, another one is asked from the start. */
  #reportRest(asked: Candidate | undefined, context: ModelCallContext): void {
    const [first] = this.#candidates;
    const rest = first && this.#rests.get(first);
    if (first === undefined || asked === undefined || asked === first || rest === undefined) return;
    context.onFallback?.({ from: first.info, to: asked.info, reason: rest.reason });
  }

  /** The candidates in the order in which they are asked: those that rest come last, by how long. */
  #order(): Candidate[] {
    const now = this.#clock.now();
    const restOf = (candidate: Candidate): number => Math.max(now, this.#rests.get(candidate)?.until ?? now);
    return this.#candidates.toSorted((a, b) => restOf(a) - restOf(b));
  }
}

/** The context of a request that fails where its endpoint would have to be waited for long. */
const notWaiting = ({ signal, onRetry, onWait }: ModelCallContext): ModelCallContext => ({
  signal,
  onRetry,
  ...(onWait === undefined ? {} : { onWait }),
  longestWaitMs: LONGEST_WAIT_MS,
});

/** What has been passed on of an answer. */
interface Said {
  text: string;
  hasCalls: boolean;
}

/** A model's answer to a request, from what has been said on. One that has to match a schema comes when it is whole. */
async function* partsOf(
  model: Model,
  request: ModelRequest,
  context: ModelCallContext,
  said: Said,
): AsyncGenerator<ModelPart, void, undefined> {
  const held: ModelPart[] = [];
  for await (const part of model.stream(continued(request, said.text), context)) {
    if (request.output !== undefined) held.push(part);
    else {
      if (part.type === "text") said.text += part.delta;
      said.hasCalls ||= part.type === "calls";
      yield part;
    }
  }
  yield* held;
}

/** The request, with the text that has come so far as the beginning of the answer. */
const continued = (request: ModelRequest, text: string): ModelRequest =>
  text === ""
    ? request
    : { ...request, items: [...request.items, { role: "assistant", content: text, calls: [], partial: true }] };
