import { invalidDefinition } from "../../../shared/contract/errors.ts";
import { type CheckOptions, checkDefinition, toProblems } from "../definition/check-definition.ts";
import { problemsInConverted, readDefinitionInput } from "./autogen.ts";
import type { TeamFile } from "./read-team-file.ts";

/**
 * The team of a client's definition, which may be an AutoGen component.
 * @throws GavelError `InvalidDefinition` with all problems.
 */
export function readDefinition(input: unknown, context: Omit<CheckOptions, "unknownKeys">): TeamFile {
  const given = readDefinitionInput(input);
  if (!given.ok) throw invalidDefinition("The definition", toProblems(given.problems));
  const checked = checkDefinition(given.definition, { ...context, unknownKeys: "drop" });
  if (checked.ok) return { definition: checked.definition, leftOut: given.leftOut };
  const problems = given.isAutoGen ? problemsInConverted(checked.problems) : checked.problems;
  throw invalidDefinition("The definition", toProblems(problems));
}
