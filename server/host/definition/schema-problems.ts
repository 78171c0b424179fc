import type { z } from "zod";
import { suggestion } from "./nearest.ts";
import { type Path, valueAt } from "./path.ts";
import { keysAt } from "./schema-walk.ts";
import type { ValidationProblem } from "./validation-problem.ts";

type Issue = z.core.$ZodIssue;
type IssueOf<C extends Issue["code"]> = Extract<Issue, { code: C }>;

/** The problems of the shape of `input`, in sentences for the person who wrote it. */
export function schemaProblems(schema: z.core.$ZodType, input: unknown, issues: readonly Issue[]): ValidationProblem[] {
  const read = (issue: Issue): ValidationProblem[] => issueProblems(issue, { schema, input });
  const misnamed = new Set(issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? [key(issue.path)] : [])));
  // A misspelt key is also reported as missing under its right name; one problem is enough.
  return issues.filter((issue) => issue.code !== "custom" || !misnamed.has(key(issue.path))).flatMap(read);
}

const key = (path: Path): string => JSON.stringify(path);

interface Source {
  readonly schema: z.core.$ZodType;
  readonly input: unknown;
}

function issueProblems(issue: Issue, source: Source): ValidationProblem[] {
  const { path } = issue;
  const written = valueAt(source.input, path);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((name) => unknownKey(path, name, source));
    case "invalid_union":
      return unionProblems(issue, source);
    case "invalid_type":
      return [{ path, message: typeSentence(issue.expected, written) }];
    case "invalid_value":
      return [
        {
          path,
          get message() {
            return choiceSentence(issue.values.map(String), written);
          },
        },
      ];
    case "invalid_key":
      return [{ path, on: "key", message: issue.issues[0]?.message ?? issue.message }];
    case "too_small":
    case "too_big":
      return [{ path, message: sizeSentence(issue) }];
    default:
      return [{ path, message: issue.message }];
  }
}

function unknownKey(path: Path, name: string, { schema, input }: Source): ValidationProblem {
  return {
    path: [...path, name],
    on: "key",
    get message() {
      return `unknown key "${name}"; ${suggestion(name, keysAt(schema, input, path), "keys")}`;
    },
  };
}

/** The problems of the branch of a union that the input is closest to. */
function unionProblems(issue: IssueOf<"invalid_union">, source: Source): ValidationProblem[] {
  const { path } = issue;
  const written = valueAt(source.input, path);
  if (issue.errors.length === 0) return [{ path, message: choiceSentence(choicesOf(issue), written) }];
  const branches = issue.errors.filter((errors) => !errors.some((error) => error.path.length === 0 && isOfType(error)));
  const nearestBranch = branches.sort((a, b) => a.length - b.length)[0];
  if (nearestBranch === undefined) {
    const expected = issue.errors.flatMap((errors) => errors.filter(isOfType).map((error) => nameOf(error.expected)));
    return [{ path, message: mismatch([...new Set(expected)].join(" or "), written) }];
  }
  return nearestBranch.flatMap((error) => issueProblems({ ...error, path: [...path, ...error.path] }, source));
}

const isOfType = (issue: Issue): issue is IssueOf<"invalid_type"> => issue.code === "invalid_type";

function choicesOf(issue: IssueOf<"invalid_union">): string[] {
  const { options } = issue as { readonly options?: unknown };
  return Array.isArray(options) ? options.map(String) : [];
}

function choiceSentence(choices: readonly string[], written: unknown): string {
  if (written === undefined) return `is missing; it should be ${orList(choices)}`;
  if (typeof written !== "string") return mismatch(orList(choices), written);
  const meant = suggestion(written, choices, "choices");
  return choices.length === 1
    ? `"${shortened(written)}" is not valid here; use ${orList(choices)}`
    : `"${shortened(written)}" is not valid here; ${meant}`;
}

const orList = (choices: readonly string[]): string =>
  choices.length === 1 ? String(choices[0]) : `one of ${choices.join(", ")}`;

const typeSentence = (expected: string, written: unknown): string =>
  written === undefined ? `is missing; it should be ${nameOf(expected)}` : mismatch(nameOf(expected), written);

const mismatch = (expected: string, written: unknown): string => `should be ${expected}, but is ${kindOf(written)}`;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map of keys",
  record: "a map of keys",
};

const nameOf = (type: string): string => TYPE_NAMES[type] ?? type;

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map of keys";
  return typeof value === "string" ? `the text "${shortened(value)}"` : String(value);
}

function shortened(text: string): string {
  const start = text.slice(0, 60).replace(/\p{Cc}/gu, " ");
  return text.length > 60 ? `${start.slice(0, 59)}…` : start;
}

function sizeSentence(issue: IssueOf<"too_small"> | IssueOf<"too_big">): string {
  if (!/^Too (small|big)/.test(issue.message)) return issue.message;
  const small = issue.code === "too_small";
  const limit = String(small ? issue.minimum : issue.maximum);
  if (issue.origin === "string") return small ? "should not be empty" : `should be no longer than ${limit} letters`;
  if (issue.origin === "array") return small ? `needs at least ${limit}` : `takes at most ${limit}`;
  const bound = issue.inclusive ? `at ${small ? "least" : "most"}` : small ? "more than" : "less than";
  return `should be ${bound} ${limit}`;
}
