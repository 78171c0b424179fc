import { invalidDefinition } from "../../../shared/contract/errors.ts";
import { type CheckOptions, checkDefinition, problemsOf } from "../definition/check-definition.ts";
import { faultsOfReading, givenDefinition } from "./autogen.ts";
import type { TeamFile } from "./read-team-file.ts";

/**
 * The team that a client's definition describes, or the component of AutoGen that it gave in its place.
 * @throws GavelError `InvalidDefinition` with all problems.
 */
export function readDefinition(input: unknown, surroundings: Omit<CheckOptions, "unknownKeys">): TeamFile {
  const given = givenDefinition(input);
  if (!given.ok) throw invalidDefinition("The definition", problemsOf(given.faults));
  const checked = checkDefinition(given.definition, { ...surroundings, unknownKeys: "drop" });
  if (checked.ok) return { definition: checked.definition, leftOut: given.leftOut };
  const faults = given.isAutoGen ? faultsOfReading(checked.faults) : checked.faults;
  throw invalidDefinition("The definition", problemsOf(faults));
}
