import { unknownName } from "./nearest.ts";
import type { Path } from "./path.ts";
import { asList } from "./unchecked-json.ts";
import type { ValidationProblem } from "./validation-problem.ts";

/** A name, or each name of a list, with its path. What is not text is left out. */
export function namesAt(value: unknown, path: Path): { readonly name: string; readonly at: Path }[] {
  if (typeof value === "string") return [{ name: value, at: path }];
  return asList(value).flatMap((name, at) => (typeof name === "string" ? [{ name, at: [...path, at] }] : []));
}

/** A problem for each name at a path, one or a list of them, that is not among the known ones. */
export function unknownNames(value: unknown, path: Path, known: readonly string[]): ValidationProblem[] {
  return namesAt(value, path).flatMap(({ name, at }): ValidationProblem[] => {
    const problem: ValidationProblem = {
      path: at,
      get message() {
        return unknownName(name, known);
      },
    };
    return known.includes(name) ? [] : [problem];
  });
}
