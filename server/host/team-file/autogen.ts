import { isRecord } from "../../../shared/json-record.ts";
import { isAutoGenComponent } from "../../engine/autogen/is-autogen-component.ts";
import { readAutoGenComponent } from "../../engine/autogen/read-autogen-component.ts";
import { checkSize } from "../definition/limits.ts";
import { pathSteps } from "../definition/path.ts";
import type { ValidationProblem } from "../definition/validation-problem.ts";

/** A definition as it was given, or as it was converted from an AutoGen component. */
export type DefinitionInput =
  | {
      readonly ok: true;
      readonly definition: unknown;
      /** A sentence for each part of the AutoGen component that was not converted. */
      readonly leftOut: readonly string[];
      readonly isAutoGen: boolean;
    }
  | { readonly ok: false; readonly problems: readonly ValidationProblem[] };

/**
 * Converts an AutoGen component; any other input is returned as it is. Never throws. Paths of problems are those of the
 * input.
 */
export function readDefinitionInput(content: unknown): DefinitionInput {
  const tooLarge = checkSize(content);
  if (tooLarge.length > 0) return { ok: false, problems: tooLarge };
  if (!isAutoGenComponent(content)) return { ok: true, definition: content, leftOut: [], isAutoGen: false };
  try {
    return { ok: true, ...readAutoGenComponent(content), isAutoGen: true };
  } catch (error) {
    const problems = problemsOf(error);
    if (problems === undefined) throw error;
    return { ok: false, problems: problems.map(({ path, message }) => ({ path: pathSteps(path), message })) };
  }
}

/**
 * What is wrong with a component; undefined for another error. What reads components is a bundle of its own, so its errors
 * are of a class of its own.
 */
function problemsOf(error: unknown): readonly { readonly path: string; readonly message: string }[] | undefined {
  const data = error instanceof Error && "data" in error && isRecord(error.data) ? error.data : {};
  return Array.isArray(data["problems"]) ? data["problems"] : undefined;
}

/** Problems in a converted definition, whose paths are not those of the AutoGen component. */
export const problemsInConverted = (problems: readonly ValidationProblem[]): ValidationProblem[] =>
  problems.map(({ message, ...problem }) => ({
    ...problem,
    message: `${message} (in the team converted from AutoGen)`,
  }));
