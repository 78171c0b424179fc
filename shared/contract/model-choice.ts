import * as z from "zod";
import { ModelDefinition } from "./definition.ts";

/** A model that the user chose in place of that of the definition: a key of the definition's `models`, or another model. */
export const ChosenModel = z.union([z.string().min(1).max(200), ModelDefinition]);
export type ChosenModel = z.infer<typeof ChosenModel>;

/** A model as users see it. */
export const ModelInfo = z.object({
  provider: z.string(),
  /** The model's or the deployment's name; none for the first model that a client has, and for the practice model. */
  name: z.string().optional(),
  /** Who offers it, for a model of the client. */
  vendor: z.string().optional(),
  /** The worker that asks it. */
  worker: z.string().optional(),
  /** Scheme, host and port of its endpoint; none for the provider's own. */
  origin: z.string().optional(),
});
export type ModelInfo = z.infer<typeof ModelInfo>;

/** A model that the user can choose, with what its definition says of it. */
export const ModelFacts = ModelInfo.extend({
  /** The most tokens of a request and its answer. */
  contextWindow: z.number().optional(),
  /** US dollars for a million tokens. */
  price: z.object({ prompt: z.number(), completion: z.number() }).optional(),
});
export type ModelFacts = z.infer<typeof ModelFacts>;
