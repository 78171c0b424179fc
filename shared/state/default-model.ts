import * as z from "zod";
import { ModelDefinition } from "../contract/definition.ts";
import { isRecord } from "../json-record.ts";

/** The setting `gavel.model`: the model of participants without one, and those that answer in this order when it cannot. */
export interface DefaultModel {
  readonly model: ModelDefinition;
  readonly fallback: readonly ModelDefinition[];
}

/** The fallbacks of the setting, which has no keys of models that it could name. */
export const DefaultFallback = z
  .array(
    ModelDefinition.refine((model) => !("fallback" in model), {
      error: "should have no fallback of its own: the next one of the list is asked",
    }),
  )
  .min(1)
  .max(10);

/** The two parts of the setting, unchecked. */
export function defaultModelParts(value: unknown): { readonly model: unknown; readonly fallback: unknown } {
  if (!isRecord(value)) return { model: value, fallback: undefined };
  const { fallback, ...model } = value;
  return { model, fallback };
}
