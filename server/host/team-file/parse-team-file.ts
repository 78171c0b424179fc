import { type Document, isScalar, LineCounter, parseDocument, visit, type YAMLError } from "yaml";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import type { Problem } from "../../../shared/contract/problem.ts";
import { type CheckOptions, checkDefinition } from "../definition/check-definition.ts";
import { pathText } from "../definition/path.ts";
import type { ResolveContent, ResolvedContent } from "../definition/resolved-content.ts";
import { collectionKey, sizeProblem, TOO_DEEP } from "../definition/text-size.ts";
import type { ValidationProblem } from "../definition/validation-problem.ts";
import { problemsInConverted, readDefinitionInput } from "./autogen.ts";
import { withPosition } from "./positions.ts";

export type TeamFileContent =
  | {
      readonly ok: true;
      readonly definition: TeamDefinition;
      /** A sentence for each part of an AutoGen component that was not converted. */
      readonly leftOut: readonly string[];
      /** What is not taken over of files that it names, each with its place in the team file. */
      readonly notes: readonly Problem[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The limit on values that YAML aliases repeat: enough for people, too few for a "billion laughs" file. */
const MAX_ALIASES = 100;

/** How many syntax errors are reported. */
const MAX_SYNTAX_PROBLEMS = 20;

/** The limit on the length of a syntax error, in characters. */
const LONGEST_SENTENCE = 300;

type Context = Omit<CheckOptions, "unknownKeys">;

/**
 * Reads the text of a team file, in YAML or JSON, or of an AutoGen component. Never throws; returns all problems at once. A
 * text that names files needs {@link readTeamText}.
 */
export function parseTeamFile(text: string, context: Context): TeamFileContent {
  const parsed = parseText(text);
  return "problems" in parsed ? parsed : checked(parsed, { content: parsed.content, problems: [], notes: [] }, context);
}

/** As {@link parseTeamFile}, with the files that it names. */
export async function readTeamText(text: string, context: Context, resolve: ResolveContent): Promise<TeamFileContent> {
  const parsed = parseText(text);
  return "problems" in parsed ? parsed : checked(parsed, await resolve(parsed.content), context);
}

interface ParsedText {
  readonly content: unknown;
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

type Refused = Extract<TeamFileContent, { ok: false }>;

function parseText(text: string): ParsedText | Refused {
  const lines = new LineCounter();
  const refused = (...problems: readonly Problem[]): Refused => ({ ok: false, problems });
  try {
    const tooLarge = sizeProblem(text);
    if (tooLarge !== undefined) return refused(whole(tooLarge));
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
    if (problems.length > 0) return refused(...problems);
    if (document.contents === null) return refused(whole("is empty; add a team definition"));
    const odd = collectionKey(document);
    if (odd !== undefined) return refused(problemAt(odd.range?.[0] ?? 0, ODD_KEY, lines));
    return { content: document.toJS({ maxAliasCount: MAX_ALIASES }), document, lines };
  } catch (error) {
    return refused(unreadable(error));
  }
}

function checked(
  { document, lines }: ParsedText,
  { content, problems: unresolved, notes }: ResolvedContent,
  context: Context,
): TeamFileContent {
  const placed = (problems: readonly ValidationProblem[]): Problem[] =>
    problems.map((problem) => withPosition(problem, document, lines)).sort(byPosition);
  const refused = (problems: readonly ValidationProblem[]): Refused => ({ ok: false, problems: placed(problems) });
  try {
    const given = readDefinitionInput(content);
    if (!given.ok) return refused(given.problems);
    const result = checkDefinition(given.definition, { ...context, unknownKeys: "mistake" });
    // What is missing because a file cannot be read is not told as well.
    if (unresolved.length > 0)
      return refused([...unresolved, ...elsewhere(result.ok ? [] : result.problems, unresolved)]);
    if (result.ok) return { ...result, leftOut: given.leftOut, notes: placed(notes) };
    return refused(given.isAutoGen ? problemsInConverted(result.problems) : result.problems);
  } catch (error) {
    return { ok: false, problems: [unreadable(error)] };
  }
}

/** The problems that are not those of a participant whose agent file cannot be read. */
function elsewhere(
  problems: readonly ValidationProblem[],
  unresolved: readonly ValidationProblem[],
): readonly ValidationProblem[] {
  const lost = unresolved.flatMap(({ path }) => (path.at(-1) === "agent" ? [pathText(path.slice(0, -1))] : []));
  if (lost.length === 0) return problems;
  // Its name is not known either, so nothing can be said about names.
  return problems.filter(
    ({ path, message }) => !lost.some((start) => pathText(path).startsWith(start)) && !/no participant/.test(message),
  );
}

function unreadable(error: unknown): Problem {
  if (error instanceof RangeError) return whole(TOO_DEEP);
  if (error instanceof ReferenceError) return whole(TOO_MANY_ALIASES);
  return whole(`cannot be read: ${messageOf(error)}`);
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
