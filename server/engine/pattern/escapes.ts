import { shorthandText } from "./characters.ts";
import { PatternError } from "./pattern-error.ts";
import type { SourceReader } from "./source-reader.ts";

/** What an escape means: one code point, or the content of a class. */
export type Escape = { readonly code: number } | { readonly set: string };

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["t", 0x09],
  ["n", 0x0a],
  ["v", 0x0b],
  ["f", 0x0c],
  ["r", 0x0d],
]);

/** Reads an escape after its backslash that means the same in a class and outside. @throws PatternError. */
export function readEscape(source: SourceReader, ignoresCase: boolean): Escape {
  const letter = source.next();
  if (letter === "") throw new PatternError("ends with a backslash; remove it, or write \\\\ for a backslash");
  const set = shorthandText(letter, ignoresCase);
  if (set !== undefined) return { set };
  const control = CONTROLS.get(letter);
  if (control !== undefined) return { code: control };
  if (letter === "p" || letter === "P") return { set: readProperty(source, letter) };
  if (letter === "x") return { code: readHex(source, /^[0-9a-f]{2}/i, 2) ?? codeOf(letter) };
  if (letter === "u") return { code: readUnicode(source) ?? codeOf(letter) };
  if (letter === "c") return { code: readControl(source) };
  if (/^[0-9]$/.test(letter)) return { code: readNumber(source, letter) };
  if (letter === "k" && source.peek() === "<") throw new PatternError(BACKREFERENCE);
  return { code: codeOf(letter) };
}

const BACKREFERENCE =
  "has a reference back to a group, such as \\1, which is not supported; write out the text that should be repeated";

const codeOf = (char: string): number => char.codePointAt(0) ?? 0;

/** `\0` is the character NUL; other numbers refer to groups. */
function readNumber(source: SourceReader, digit: string): number {
  if (digit === "0" && !/^[0-9]$/.test(source.peek())) return 0;
  throw new PatternError(BACKREFERENCE);
}

function readControl(source: SourceReader): number {
  const letter = source.match(/^[a-z]/i, 1)?.[0];
  if (letter === undefined) throw new PatternError("has \\c without a letter; write \\\\c for a backslash and a c");
  return codeOf(letter) % 32;
}

function readHex(source: SourceReader, pattern: RegExp, limit: number): number | undefined {
  const digits = source.match(pattern, limit)?.[0];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

/** The code point of `uXXXX`, a pair of them, or `u{X}`, without the `u`. */
function readUnicode(source: SourceReader): number | undefined {
  const braced = source.match(/^\{([0-9a-f]{1,6})\}/i, 8)?.[1];
  if (braced !== undefined) {
    const code = Number.parseInt(braced, 16);
    if (code > 0x10ffff)
      throw new PatternError(`has \\u{${braced}}, which is not a character; use at most \\u{10FFFF}`);
    return code;
  }
  const pair = source.match(/^(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/i, 10);
  const units = pair?.slice(1).map((unit) => Number.parseInt(unit, 16));
  if (units !== undefined) return String.fromCharCode(...units).codePointAt(0);
  return readHex(source, /^[0-9a-f]{4}/i, 4);
}

/** The general categories by their long names, which RE2 does not have. */
const CATEGORIES: ReadonlyMap<string, string> = new Map([
  ["Letter", "L"],
  ["Uppercase_Letter", "Lu"],
  ["Lowercase_Letter", "Ll"],
  ["Titlecase_Letter", "Lt"],
  ["Modifier_Letter", "Lm"],
  ["Other_Letter", "Lo"],
  ["Mark", "M"],
  ["Number", "N"],
  ["Decimal_Number", "Nd"],
  ["Punctuation", "P"],
  ["punct", "P"],
  ["Symbol", "S"],
  ["Separator", "Z"],
  ["Other", "C"],
]);

/** `\p{Script=Greek}`, `\p{Lu}` or `\P{L}` as RE2 writes it. */
function readProperty(source: SourceReader, letter: string): string {
  const found = source.match(/^\{(?:(\w{1,40})=)?(\w{1,40})\}/, 90);
  if (found === undefined)
    throw new PatternError(`has \\${letter} without a property; write \\${letter}{L}, for example`);
  const name = found[2] ?? "";
  return `\\${letter}{${CATEGORIES.get(name) ?? name}}`;
}
