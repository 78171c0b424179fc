import { LIMITS } from "../../shared/limits.ts";
import { sizeProblem } from "../../shared/size-problem.ts";

/** A string that an endpoint sent, or empty for anything else. */
export const stringOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");

/** Stands for arguments that are nested too deep to be written as text; they are refused for their depth all the same. */
const TOO_DEEP = `${"[".repeat(LIMITS.value.depth + 1)}${"]".repeat(LIMITS.value.depth + 1)}`;

/** The arguments of a tool call as JSON text: some endpoints send them as an object. */
export function argumentsJson(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return sizeProblem(value, LIMITS.value) === undefined ? JSON.stringify(value) : TOO_DEEP;
}
