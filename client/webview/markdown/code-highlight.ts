import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

// highlight.js's own "common" set is twice as large; these are the languages that programmers quote most.
const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  php,
  python,
  ruby,
  rust,
  shell,
  sql,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/**
 * The most characters in a block, in a line of it, and in all blocks of a text that are highlighted. The time that a
 * grammar takes can grow with the square of a block's or a line's length, and would block the page.
 */
const LONGEST_BLOCK = 8_000;
const LONGEST_LINE = 400;
const LONGEST_TOTAL = 16_000;

/** Highlights the code of one text. */
export class CodeHighlighter {
  #left = LONGEST_TOTAL;

  /** Code as HTML with highlight.js's classes, escaped; null if its language is unknown or it is too long. */
  html(code: string, language: string): string | null {
    if (code.length > Math.min(LONGEST_BLOCK, this.#left) || hljs.getLanguage(language) === undefined) return null;
    if (code.split("\n").some((line) => line.length > LONGEST_LINE)) return null;
    this.#left -= code.length;
    return hljs.highlight(code, { language, ignoreIllegals: true }).value;
  }
}
