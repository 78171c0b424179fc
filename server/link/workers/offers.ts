import * as z from "zod";
import { ToolDeclaration } from "../../../shared/contract/definition.ts";
import { ModelInfo } from "../../../shared/contract/model-choice.ts";

/** The name of a worker, which is a part of subjects. */
export const WORKER_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** What a worker runs for teams: nothing of how it does that. */
export const WorkerOffers = z.strictObject({
  worker: z.string().regex(WORKER_NAME),
  /** The id of its process on the link. */
  node: z.string().max(64),
  participants: z
    .array(
      z.strictObject({
        name: z.string().max(64),
        description: z.string().max(10_000).optional(),
        /** The names of its tools. */
        tools: z.array(z.string().max(64)).max(200),
      }),
    )
    .max(1_000),
  models: z.array(z.strictObject({ name: z.string().max(200), info: ModelInfo })).max(1_000),
  tools: z.array(ToolDeclaration).max(200),
  /** The names of those tools that other participants may use too. */
  shared: z.array(z.string().max(64)).max(200),
});
export type WorkerOffers = z.infer<typeof WorkerOffers>;

/** The subject of requests for what a worker offers; workers of one name share them. */
export const offersSubject = (space: string, worker: string): string => `${space}.workers.${worker}`;

/** The queue of workers of one name. */
export const WORKER_QUEUE = "workers";
