import { invalidDefinition } from "../../../shared/contract/errors.ts";
import { type CheckOptions, checkDefinition, toProblems } from "../definition/check-definition.ts";
import type { ResolveContent } from "../definition/resolved-content.ts";
import { problemsInConverted, readDefinitionInput } from "./autogen.ts";
import type { TeamFile } from "./read-team-file.ts";

/**
 * The team of a client's definition, which may be an AutoGen component.
 * @throws GavelError `InvalidDefinition` with all problems.
 */
export function readDefinition(input: unknown, context: Omit<CheckOptions, "unknownKeys">): TeamFile {
  return checked(input, context, []);
}

/** As {@link readDefinition}, for a client's text of a team file, which may name other files. */
export async function readUnsaved(
  input: unknown,
  context: Omit<CheckOptions, "unknownKeys">,
  resolve: ResolveContent,
): Promise<TeamFile> {
  const { content, problems, notes } = await resolve(input);
  if (problems.length > 0) throw invalidDefinition("The definition", toProblems(problems));
  return checked(
    content,
    context,
    notes.map(({ message }) => message),
  );
}

function checked(input: unknown, context: Omit<CheckOptions, "unknownKeys">, notes: readonly string[]): TeamFile {
  const given = readDefinitionInput(input);
  if (!given.ok) throw invalidDefinition("The definition", toProblems(given.problems));
  const result = checkDefinition(given.definition, { ...context, unknownKeys: "drop" });
  if (result.ok) return { definition: result.definition, leftOut: given.leftOut, notes };
  const problems = given.isAutoGen ? problemsInConverted(result.problems) : result.problems;
  throw invalidDefinition("The definition", toProblems(problems));
}
