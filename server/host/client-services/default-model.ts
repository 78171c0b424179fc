import type { z } from "zod";
import { ModelDefinition } from "../../../shared/contract/definition.ts";
import { DefaultFallback, type DefaultModel, defaultModelParts } from "../../../shared/state/default-model.ts";
import { schemaProblems } from "../definition/schema-problems.ts";
import { toProblem } from "../definition/validation-problem.ts";
import { ClientSetting, type ParsedSetting } from "./client-settings.ts";

const SECTION = "gavel.model";

/** The setting `gavel.model`: the model of participants without one, in a team without models. */
export const defaultModelSetting = (): ClientSetting<DefaultModel | undefined> => new ClientSetting(SECTION, parse);

function parse(value: unknown): ParsedSetting<DefaultModel | undefined> {
  if (value === undefined) return { value: undefined };
  const parts = defaultModelParts(value);
  const model = ModelDefinition.safeParse(parts.model);
  const fallback = DefaultFallback.optional().safeParse(parts.fallback);
  if (model.success && fallback.success) return { value: { model: model.data, fallback: fallback.data ?? [] } };
  const problems = [
    ...problemsOf(ModelDefinition, parts.model, [], model.error),
    ...problemsOf(DefaultFallback, parts.fallback, ["fallback"], fallback.error),
  ];
  return { value: undefined, problem: `The setting ${SECTION} is ignored: ${problems.join("; ")}.` };
}

function problemsOf(schema: z.ZodType, value: unknown, at: readonly string[], error: z.ZodError | undefined): string[] {
  if (error === undefined) return [];
  return schemaProblems(schema, value, error.issues).map((problem) => {
    const { path, message } = toProblem({ ...problem, path: [...at, ...problem.path] });
    return path === "" ? message : `${path}: ${message}`;
  });
}
