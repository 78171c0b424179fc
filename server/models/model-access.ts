import type { WorkerModel } from "../../shared/contract/definition.ts";
import type { Model } from "../engine/model.ts";
import type { EndpointAccess } from "./endpoint/permission.ts";
import type { RateLimits } from "./rate-limits/rate-limits.ts";

/** What a model may use, and what it shares with others. */
export interface ModelAccess extends EndpointAccess {
  /** The rate limits of endpoints, shared by all models that get the same; each model has its own if left out. */
  readonly rates?: RateLimits;
  /** A model of a worker; there are none if left out. */
  worker?(definition: WorkerModel): Model;
}
