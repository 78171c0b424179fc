import type { Watched } from "../../../shared/contract/interrupt-rule.ts";
import { compilePattern, type Pattern } from "../pattern/pattern.ts";
import { PatternError } from "../pattern/pattern-error.ts";
import { TextSearch } from "../pattern/text-search.ts";
import { TextTest } from "../pattern/text-test.ts";

/** The test of the texts of a rule's `message` or `tool.arguments`. */
export function testOf({ contains, matches }: Pick<NonNullable<Watched["message"]>, "contains" | "matches">): TextTest {
  return new TextTest({
    contains: contains === undefined ? undefined : new TextSearch(contains),
    pattern: matches === undefined ? undefined : patternOrAny(matches),
  });
}

/** A pattern that cannot be used, such as one that an older version stored, matches any text. */
function patternOrAny(source: string): Pattern {
  try {
    return compilePattern(source);
  } catch (error) {
    if (error instanceof PatternError) return compilePattern("");
    throw error;
  }
}
