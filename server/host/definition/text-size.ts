import { type Document, isCollection, Lexer, type Node, visit } from "yaml";
import { LIMITS } from "./limits.ts";

/** The limit on the tokens of a file, so that one of many signs does not hold up the host. */
const MAX_TOKENS = 100_000;

export const TOO_DEEP = "is nested too deep; make it flatter";

/** Why a file is too large to be parsed; undefined if it is not. Reading its tokens is fast, whatever they are. */
export function sizeProblem(text: string): string | undefined {
  let count = 0;
  let depth = 0;
  for (const token of new Lexer().lex(text)) {
    if (++count > MAX_TOKENS) return `has more than ${MAX_TOKENS / 1000},000 parts; make it smaller`;
    if (token === "[" || token === "{") depth++;
    else if (token === "]" || token === "}") depth--;
    if (depth > LIMITS.depth) return TOO_DEEP;
  }
  return undefined;
}

/**
 * The first key that is a map or a list. No team file has one, and as a value of JavaScript it is written out as text, which
 * takes time in proportion to the cube of its depth.
 */
export function collectionKey(document: Document.Parsed): Node | undefined {
  let found: Node | undefined;
  visit(document, {
    Pair(_, { key }) {
      if (!isCollection(key)) return undefined;
      found = key;
      return visit.BREAK;
    },
  });
  return found;
}
