import { isNestedBeyond, MAX_DEPTH } from "./nesting.ts";

/** The value of a JSON text that a model wrote. @throws Error when it is not JSON, or nested too deep to be worked with. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isNestedBeyond(value, MAX_DEPTH)) throw new RangeError(`It is nested more than ${MAX_DEPTH} levels deep.`);
  return value;
}
