import { LazyPart } from "../state/lazy-part.ts";
import { cleanFragment } from "./markdown-renderer.ts";

/** Highlights code: HTML with highlight.js's classes, escaped; null if the language is unknown. */
export type Highlight = (code: string, language: string) => string | null;

/** highlight.js and its grammars: a third of the page's size, loaded with the first code that has a language. */
export const highlighting = new LazyPart<Highlight>(() =>
  import("./highlight-languages.ts").then(({ highlight }) => highlight),
);

/**
 * The most characters in a block, in a line of it, and in all blocks of a text that are highlighted. The time that a
 * grammar takes can grow with the square of a block's or a line's length, and would block the page.
 */
const LONGEST_BLOCK = 8_000;
const LONGEST_LINE = 400;
const LONGEST_TOTAL = 16_000;

/** Highlights the code of one text, from its start to its end. */
export class CodeHighlighter {
  #left = LONGEST_TOTAL;

  /** Whether this code, the next of the text, is highlighted: not when it is too long. */
  takes(code: string): boolean {
    if (code.length > Math.min(LONGEST_BLOCK, this.#left)) return false;
    if (code.split("\n").some((line) => line.length > LONGEST_LINE)) return false;
    this.#left -= code.length;
    return true;
  }

  /**
   * Gives the code in an element its colours, once highlighting is loaded: the text stays as it is, so nothing moves.
   * Elements are given in the text's order, each as often as one likes.
   */
  colour(element: Element): void {
    const code = element.textContent;
    const language = element.getAttribute("data-language");
    if (language === null || !this.takes(code) || element.childElementCount > 0) return;
    const html = highlighting.loaded?.(code, language);
    if (html === undefined) highlighting.load();
    else if (html !== null) element.replaceChildren(cleanFragment(html));
  }
}
