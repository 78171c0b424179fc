import type { EdgeCondition } from "../../../../shared/contract/definition.ts";

/**
 * The test of a message's text that `when` stands for; without it, every text passes. Texts are compared with their case, as
 * AutoGen does.
 * @throws SyntaxError when `matches` is no regular expression.
 */
export function edgePredicate(when: EdgeCondition | undefined): (text: string) => boolean {
  if (when === undefined) return () => true;
  if (typeof when === "string") return (text) => text.includes(when);
  if ("contains" in when) return (text) => text.includes(when.contains);
  if ("lacks" in when) return (text) => !text.includes(when.lacks);
  const pattern = new RegExp(when.matches);
  return (text) => pattern.test(text);
}
