import type { z } from "zod";
import { TeamDefinition } from "../../../shared/contract/definition.ts";
import { isRecord } from "../../../shared/json-record.ts";
import { safeParse } from "../../../shared/safe-parse.ts";
import type { ValidationContext } from "./definition-scope.ts";
import { checkLengths, checkSize } from "./limits.ts";
import { nearest } from "./nearest.ts";
import { type Path, pathText, valueAt } from "./path.ts";
import { schemaProblems } from "./schema-problems.ts";
import { keysAt } from "./schema-walk.ts";
import { checkTeam } from "./team-checks.ts";
import { toProblem, type ValidationProblem } from "./validation-problem.ts";

export interface CheckOptions extends ValidationContext {
  /**
   * How to treat unknown keys. In a file that a person wrote they are mistakes. From a client they may be of a later
   * version, and are dropped unless they resemble a known key.
   */
  readonly unknownKeys: "mistake" | "drop";
}

/** A valid definition, or all of its problems. */
export type CheckedDefinition =
  | { readonly ok: true; readonly definition: TeamDefinition }
  | { readonly ok: false; readonly problems: readonly ValidationProblem[] };

/** How many problems are reported. */
const MAX_PROBLEMS = 100;

/** Checks shape and references together, in the team and in its nested teams. Never throws. */
export function checkDefinition(input: unknown, options: CheckOptions): CheckedDefinition {
  const tooLarge = checkSize(input);
  if (tooLarge.length > 0) return { ok: false, problems: tooLarge };
  const tooLong = checkLengths(input);
  if (tooLong.length > 0) return { ok: false, problems: theFirst(tooLong) };
  const known = options.unknownKeys === "drop" ? withoutUnknownKeys(input) : input;
  const parsed = safeParse(TeamDefinition, known);
  if (!isRecord(known)) {
    return { ok: false, problems: theFirst(schemaProblems(TeamDefinition, known, parsed.error?.issues ?? [])) };
  }
  const problems = [...schemaProblems(TeamDefinition, known, parsed.error?.issues ?? []), ...checkTeam(known, options)];
  return parsed.success && problems.length === 0
    ? { ok: true, definition: parsed.data }
    : { ok: false, problems: theFirst(problems) };
}

export const toProblems = (problems: readonly ValidationProblem[]): ReturnType<typeof toProblem>[] =>
  problems.map(toProblem);

/** The first problems, without repeated ones. The messages of the others are not made, which could take long. */
function theFirst(problems: readonly ValidationProblem[]): ValidationProblem[] {
  const seen = new Set<string>();
  const first = problems.slice(0, MAX_PROBLEMS).filter(({ path, message }) => {
    const key = `${pathText(path)} ${message}`;
    return seen.has(key) ? false : seen.add(key);
  });
  const more = problems.length - MAX_PROBLEMS;
  return more > 0 ? [...first, { path: [], message: `has ${more} more problems; correct these first` }] : first;
}

function withoutUnknownKeys(input: unknown): unknown {
  const issues = safeParse(TeamDefinition, input).error?.issues ?? [];
  const unknown = issues.flatMap((issue) => unknownKeys(issue, []));
  // So many are reported as problems: no later version is that different.
  if (unknown.length > MAX_UNKNOWN || unknown.some(({ keys }) => keys.length > MAX_UNKNOWN)) return input;
  return unknown.reduce((value, { path, keys }) => {
    const known = keysAt(TeamDefinition, input, path);
    const strange = keys.filter((name) => nearest(name, known) === undefined);
    return strange.length === 0 ? value : withoutKeys(value, path, strange);
  }, input);
}

/** How many unknown keys of a client's definition are dropped in one map, and in how many maps. */
const MAX_UNKNOWN = 100;

interface UnknownKeys {
  readonly path: Path;
  readonly keys: readonly string[];
}

function unknownKeys(issue: z.core.$ZodIssue, above: Path): UnknownKeys[] {
  const path = [...above, ...issue.path];
  if (issue.code === "unrecognized_keys") return [{ path, keys: issue.keys }];
  if (issue.code !== "invalid_union") return [];
  return issue.errors.flatMap((errors) => errors.flatMap((error) => unknownKeys(error, path)));
}

function withoutKeys(value: unknown, path: Path, keys: readonly string[]): unknown {
  const [step, ...rest] = path;
  if (step === undefined) {
    return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))) : value;
  }
  const changed = withoutKeys(valueAt(value, [step]), rest, keys);
  if (Array.isArray(value)) return value.map((item: unknown, at) => (at === step ? changed : item));
  return isRecord(value) ? { ...value, [String(step)]: changed } : value;
}
