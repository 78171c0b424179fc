import { LineCounter, parseDocument, type YAMLError } from "yaml";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import type { Problem } from "../../../shared/contract/problem.ts";
import { type CheckOptions, checkDefinition } from "../definition/check-definition.ts";
import type { Fault } from "../definition/fault.ts";
import { faultsOfReading, givenDefinition } from "./autogen.ts";
import { placed } from "./positions.ts";

export type TeamFileContent =
  | {
      readonly ok: true;
      readonly definition: TeamDefinition;
      /** What AutoGen's component has and the definition does not, if it is one. */
      readonly leftOut: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** How often aliases may repeat what they name, all in all: enough for people, too little for a bomb. */
const MAX_ALIASES = 100;

/**
 * Reads the text of a team file, YAML or JSON, which is a part of YAML; or of a team that AutoGen wrote. Never throws; the problems
 * are all there are.
 */
export function parseTeamFile(text: string, surroundings: Omit<CheckOptions, "unknownKeys">): TeamFileContent {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, strict: true, uniqueKeys: true });
    if (document.errors.length > 0) {
      return { ok: false, problems: document.errors.map((error) => syntaxProblem(error, lines)) };
    }
    if (document.contents === null) return { ok: false, problems: [whole("is empty; write a team into it")] };
    const content: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    const wrong = (faults: readonly Fault[]): TeamFileContent => {
      const problems = faults.map((fault) => placed(fault, document, lines));
      return { ok: false, problems: problems.sort(byPlace) };
    };
    const given = givenDefinition(content);
    if (!given.ok) return wrong(given.faults);
    const checked = checkDefinition(given.definition, { ...surroundings, unknownKeys: "mistake" });
    if (checked.ok) return { ...checked, leftOut: given.leftOut };
    return wrong(given.isAutoGen ? faultsOfReading(checked.faults) : checked.faults);
  } catch (error) {
    return { ok: false, problems: [whole(`can not be read: ${messageOf(error)}`)] };
  }
}

function syntaxProblem({ pos, message, code }: YAMLError, lines: LineCounter): Problem {
  const { line, col } = lines.linePos(pos[0]);
  const sentence = code === "DUPLICATE_KEY" ? "this key stands here twice; keep one of them" : lowered(message);
  return { path: "", message: sentence, line: Math.max(line, 1), column: Math.max(col, 1) };
}

const byPlace = (a: Problem, b: Problem): number => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

const lowered = (message: string): string => message.charAt(0).toLowerCase() + message.slice(1);

const whole = (message: string): Problem => ({ path: "", message, line: 1, column: 1 });
