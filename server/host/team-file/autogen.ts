import { GavelError } from "../../../shared/contract/errors.ts";
import { isAutoGenComponent, readAutoGenComponent } from "../../engine/autogen/read-autogen-component.ts";
import { pathSteps } from "../definition/path.ts";
import type { ValidationProblem } from "../definition/validation-problem.ts";

/** A definition as it was given, or as what AutoGen wrote was read. */
export type DefinitionInput =
  | {
      readonly ok: true;
      readonly definition: unknown;
      /** One sentence for everything that AutoGen's component has and the definition does not. */
      readonly leftOut: readonly string[];
      readonly isAutoGen: boolean;
    }
  | { readonly ok: false; readonly problems: readonly ValidationProblem[] };

/** Reads a component that AutoGen wrote; anything else stays as it is. Never throws; the problems have their paths in what was given. */
export function readDefinitionInput(content: unknown): DefinitionInput {
  if (!isAutoGenComponent(content)) return { ok: true, definition: content, leftOut: [], isAutoGen: false };
  try {
    return { ok: true, ...readAutoGenComponent(content), isAutoGen: true };
  } catch (error) {
    if (!(error instanceof GavelError)) throw error;
    const problems = error.data["problems"] as readonly { readonly path: string; readonly message: string }[];
    return { ok: false, problems: problems.map(({ path, message }) => ({ path: pathSteps(path), message })) };
  }
}

/** The problems of what came of AutoGen's component, which has other paths than the component. */
export const problemsInConverted = (problems: readonly ValidationProblem[]): ValidationProblem[] =>
  problems.map(({ message, ...problem }) => ({
    ...problem,
    message: `${message} (in the team converted from AutoGen)`,
  }));
