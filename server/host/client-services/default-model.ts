import { ModelDefinition } from "../../../shared/contract/definition.ts";
import { schemaProblems } from "../definition/schema-problems.ts";
import { toProblem } from "../definition/validation-problem.ts";
import { ClientSetting, type ParsedSetting } from "./client-settings.ts";

const SECTION = "gavel.model";

/** The setting `gavel.model`: the model of participants without one, in a team without models. */
export const defaultModelSetting = (): ClientSetting<ModelDefinition | undefined> => new ClientSetting(SECTION, parse);

function parse(value: unknown): ParsedSetting<ModelDefinition | undefined> {
  if (value === undefined) return { value: undefined };
  const parsed = ModelDefinition.safeParse(value);
  if (parsed.success) return { value: parsed.data };
  const problems = schemaProblems(ModelDefinition, value, parsed.error.issues)
    .map(toProblem)
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return { value: undefined, problem: `The setting ${SECTION} is ignored: ${problems.join("; ")}.` };
}
