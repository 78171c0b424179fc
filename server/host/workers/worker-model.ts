import type { WorkerModel } from "../../../shared/contract/definition.ts";
import { modelError } from "../../../shared/contract/errors.ts";
import { modelInfo } from "../../../shared/state/model-choice.ts";
import type { Model, ModelCallContext, ModelPart, ModelRequest } from "../../engine/index.ts";
import { errorOf } from "./error-of.ts";
import type { WorkerFinder } from "./found-worker.ts";

/** A model that a worker asks, with its own key. */
export function workerModel(workers: WorkerFinder, definition: WorkerModel): Model {
  const { on, model } = definition;
  return {
    label: `${model} at the worker ${on.worker}`,
    info: modelInfo(definition),
    async *stream(request: ModelRequest, context: ModelCallContext): AsyncIterable<ModelPart> {
      const { link, offers } = await workers.find(on.worker, context.signal);
      if (context.signal.aborted) return;
      const end = yield* link.stream(offers.node, model, request, context);
      if (end.kind === "failed") throw errorOf(end.error);
      if (end.kind === "lost")
        throw modelError(`The worker ${on.worker} was lost while its model answered, as ${end.why}.`, {
          retryable: true,
        });
    },
  };
}
