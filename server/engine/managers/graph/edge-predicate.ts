import type { EdgeCondition } from "../../../../shared/contract/definition.ts";
import { compilePattern } from "../../pattern/pattern.ts";

/**
 * Compiles an edge's `when` to a test of a message's text. Without `when`, every text passes. Matching is case-sensitive, as
 * in AutoGen.
 * @throws PatternError when `matches` is a regular expression that cannot be used.
 */
export function edgePredicate(when: EdgeCondition | undefined): (text: string) => boolean {
  if (when === undefined) return () => true;
  if (typeof when === "string") return (text) => text.includes(when);
  if ("contains" in when) return (text) => text.includes(when.contains);
  if ("lacks" in when) return (text) => !text.includes(when.lacks);
  const pattern = compilePattern(when.matches);
  return (text) => pattern.test(text);
}
