import { LineCounter, parseDocument, type YAMLError } from "yaml";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import type { Problem } from "../../../shared/contract/problem.ts";
import { type CheckOptions, checkDefinition } from "../definition/check-definition.ts";
import type { ValidationProblem } from "../definition/validation-problem.ts";
import { problemsInConverted, readDefinitionInput } from "./autogen.ts";
import { withPosition } from "./positions.ts";

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

/**
 * Reads the text of a team file, in YAML or JSON, or of an AutoGen component. Never throws; returns all problems at once.
 */
export function parseTeamFile(text: string, context: Omit<CheckOptions, "unknownKeys">): TeamFileContent {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, strict: true, uniqueKeys: true });
    if (document.errors.length > 0) {
      return { ok: false, problems: document.errors.map((error) => syntaxProblem(error, lines)) };
    }
    if (document.contents === null) return { ok: false, problems: [whole("is empty; add a team definition")] };
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
    return { ok: false, problems: [whole(`cannot be read: ${messageOf(error)}`)] };
  }
}

function syntaxProblem({ pos, message, code }: YAMLError, lines: LineCounter): Problem {
  const { line, col } = lines.linePos(pos[0]);
  const sentence = code === "DUPLICATE_KEY" ? "this key occurs twice; keep one of them" : lowered(message);
  return { path: "", message: sentence, line: Math.max(line, 1), column: Math.max(col, 1) };
}

const byPosition = (a: Problem, b: Problem): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

const lowered = (message: string): string => message.charAt(0).toLowerCase() + message.slice(1);

const whole = (message: string): Problem => ({ path: "", message, line: 1, column: 1 });
