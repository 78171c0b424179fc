import { type Document, isScalar, LineCounter, parseDocument, visit, type YAMLError } from "yaml";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import type { Problem } from "../../../shared/contract/problem.ts";
import { type CheckOptions, checkDefinition } from "../definition/check-definition.ts";
import type { ValidationProblem } from "../definition/validation-problem.ts";
import { problemsInConverted, readDefinitionInput } from "./autogen.ts";
import { withPosition } from "./positions.ts";
import { collectionKey, sizeProblem, TOO_DEEP } from "./text-size.ts";

export type TeamFileContent =
  | {
      readonly ok: true;
      readonly definition: TeamDefinition;
      /** A sentence for each part of an AutoGen component that was not converted. */
      readonly leftOut: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The limit on values that YAML aliases repeat: enough for people, too few for a "billion laughs" file. */
const MAX_ALIASES = 100;

/** How many syntax errors are reported. */
const MAX_SYNTAX_PROBLEMS = 20;

/** The limit on the length of a syntax error, in characters. */
const LONGEST_SENTENCE = 300;

/**
 * Reads the text of a team file, in YAML or JSON, or of an AutoGen component. Never throws; returns all problems at once.
 */
export function parseTeamFile(text: string, context: Omit<CheckOptions, "unknownKeys">): TeamFileContent {
  const lines = new LineCounter();
  try {
    const tooLarge = sizeProblem(text);
    if (tooLarge !== undefined) return { ok: false, problems: [whole(tooLarge)] };
    // The check of yaml compares every key of a map with all others.
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      strict: true,
      uniqueKeys: false,
      logLevel: "error",
    });
    const problems =
      document.errors.length > 0 ? syntaxProblems(document.errors, lines) : repeatedKeys(document, lines);
    if (problems.length > 0) return { ok: false, problems };
    if (document.contents === null) return { ok: false, problems: [whole("is empty; add a team definition")] };
    const odd = collectionKey(document);
    if (odd !== undefined) return { ok: false, problems: [problemAt(odd.range?.[0] ?? 0, ODD_KEY, lines)] };
    const content: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    const refused = (problems: readonly ValidationProblem[]): TeamFileContent => ({
      ok: false,
      problems: problems.map((problem) => withPosition(problem, document, lines)).sort(byPosition),
    });
    const given = readDefinitionInput(content);
    if (!given.ok) return refused(given.problems);
    const checked = checkDefinition(given.definition, { ...context, unknownKeys: "mistake" });
    if (checked.ok) return { ...checked, leftOut: given.leftOut };
    return refused(given.isAutoGen ? problemsInConverted(checked.problems) : checked.problems);
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, problems: [whole(TOO_DEEP)] };
    if (error instanceof ReferenceError) return { ok: false, problems: [whole(TOO_MANY_ALIASES)] };
    return { ok: false, problems: [whole(`cannot be read: ${messageOf(error)}`)] };
  }
}

const ODD_KEY = "a key is a map or a list; write a word";
const TOO_MANY_ALIASES = `repeats values with more than ${MAX_ALIASES} aliases; write them out`;

/** The first syntax errors. */
function syntaxProblems(errors: readonly YAMLError[], lines: LineCounter): Problem[] {
  return errors
    .slice(0, MAX_SYNTAX_PROBLEMS)
    .map(({ code, pos, message }) => problemAt(pos[0], syntaxProblem(code, message), lines));
}

/** The messages of yaml quote the file, whose words can have any length, and one is for programmers. */
function syntaxProblem(code: YAMLError["code"], message: string): string {
  if (code === "MULTIPLE_DOCS") return "has more than one document; remove the line --- and what follows it";
  if (message.startsWith("Maximum call stack")) return TOO_DEEP;
  const sentence = message.charAt(0).toLowerCase() + message.slice(1);
  return sentence.length > LONGEST_SENTENCE ? `${sentence.slice(0, LONGEST_SENTENCE)}…` : sentence;
}

function repeatedKeys(document: Document, lines: LineCounter): Problem[] {
  const problems: Problem[] = [];
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key) || key.value === "<<") continue;
        if (seen.has(key.value))
          problems.push(problemAt(key.range?.[0] ?? 0, "this key occurs twice; keep one of them", lines));
        seen.add(key.value);
      }
      return problems.length < MAX_SYNTAX_PROBLEMS ? undefined : visit.BREAK;
    },
  });
  return problems.slice(0, MAX_SYNTAX_PROBLEMS);
}

function problemAt(offset: number, message: string, lines: LineCounter): Problem {
  const { line, col } = lines.linePos(offset);
  return { path: "", message, line: Math.max(line, 1), column: Math.max(col, 1) };
}

const byPosition = (a: Problem, b: Problem): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

const whole = (message: string): Problem => ({ path: "", message, line: 1, column: 1 });
