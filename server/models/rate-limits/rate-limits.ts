import { type Clock, systemClock } from "../clock.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { KeyOrigin } from "../endpoint/key.ts";
import { Lane } from "./lane.ts";

/** The rate limits of all endpoints, which everything that asks models of this process shares. */
export class RateLimits {
  readonly #clock: Clock;
  readonly #lanes = new Map<string, Lane>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** The lane of a model. Endpoints count by account, which the name of a key stands for, and most of them by model. */
  lane({ origin, model }: Endpoint, key: KeyOrigin): Lane {
    const id = JSON.stringify([origin, model, key.kind, key.kind === "secret" ? key.secret : ""]);
    const known = this.#lanes.get(id);
    if (known !== undefined) return known;
    for (const [other, lane] of this.#lanes) if (lane.isIdle) this.#lanes.delete(other);
    const lane = new Lane(this.#clock);
    this.#lanes.set(id, lane);
    return lane;
  }
}
