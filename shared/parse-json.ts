import { LIMITS } from "./limits.ts";
import { sizeProblem } from "./size-problem.ts";

/** The value of a JSON text that a model wrote. @throws Error when it is not JSON, or nested too deep to be worked with. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const { depth } = LIMITS.value;
  const problem = sizeProblem(value, { depth });
  if (problem !== undefined) throw new RangeError(`It ${problem}.`);
  return value;
}
