import type { EdgeCondition } from "../../../../shared/contract/definition.ts";
import { compilePattern } from "../../pattern/pattern.ts";
import { TextSearch } from "../../pattern/text-search.ts";
import { type TextCondition, TextTest } from "../../pattern/text-test.ts";
import type { Matching } from "../../pattern/work.ts";

/** An edge's `when` as a test of a message's text. */
export interface EdgePredicate {
  /**
   * Whether the edge is taken after a message with this text.
   * @throws EdgeError when that takes too long to find out.
   */
  isTaken(text: string): boolean;
  /** The work of finding that out, to be done before. Without it only little work is done. */
  matching?(text: string): Matching;
}

/**
 * Compiles an edge's `when`. Without `when`, every text passes. Matching is case-sensitive, as in AutoGen.
 * @throws PatternError when `matches` is a regular expression that cannot be used.
 */
export function edgePredicate(when: EdgeCondition | undefined): EdgePredicate {
  if (when === undefined) return { isTaken: () => true };
  const condition = conditionOf(when);
  const isOpposite = typeof when === "object" && "lacks" in when;
  const test = new TextTest(condition);
  return {
    isTaken: (text) => (test.passes([text]) ?? tooLong(when)) !== isOpposite,
    matching: (text) => test.matching([text]),
  };
}

function conditionOf(when: EdgeCondition): TextCondition {
  if (typeof when === "string") return { contains: new TextSearch(when) };
  if ("matches" in when) return { pattern: compilePattern(when.matches) };
  return { contains: new TextSearch("contains" in when ? when.contains : when.lacks) };
}

/** An edge that cannot be tested. */
export class EdgeError extends Error {
  override readonly name = "EdgeError";
}

function tooLong(when: EdgeCondition): never {
  const condition = typeof when === "string" ? when : Object.entries(when).flat().join(": ");
  throw new EdgeError(`An edge of the graph takes too long to test, with ${condition}; make the condition simpler.`);
}
