import { ANY, ANY_IN_LINE, characterText } from "./characters.ts";
import { readClass } from "./class-reader.ts";
import { readEscape } from "./escapes.ts";
import { PatternError } from "./pattern-error.ts";
import { SourceReader } from "./source-reader.ts";

/** How deep groups may be nested. */
const MAX_DEPTH = 50;

/** RE2's own limit on the counts of a repetition. */
export const MAX_REPEATS = 1_000;

/** The flags in force, which `(?i:…)` changes within its group. */
interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
}

const NO_FLAGS: Flags = { i: false, m: false, s: false };

/**
 * A JavaScript regular expression as RE2 writes it, with JavaScript's meaning of `.`, `$`, `\s` and the rest. It is read as
 * with the flag `u`, except that a letter may be escaped, and a brace or bracket stand alone, without need.
 * @throws PatternError if it is wrong, or uses what linear-time matching cannot have.
 */
export function toRe2(source: string): string {
  const reader = new SourceReader(source);
  const text = readAlternatives(reader, NO_FLAGS, 0);
  if (!reader.isAtEnd) throw new PatternError("has a ) without a (; remove it, or write \\) for a parenthesis");
  return text;
}

function readAlternatives(source: SourceReader, flags: Flags, depth: number): string {
  if (depth > MAX_DEPTH) throw new PatternError(`has groups nested more than ${MAX_DEPTH} deep; use fewer`);
  let text = "";
  while (!source.isAtEnd && source.peek() !== ")") {
    text += source.take("|") ? "|" : readTerm(source, flags, depth);
  }
  return text;
}

/** One assertion, or one atom with its quantifier. */
function readTerm(source: SourceReader, flags: Flags, depth: number): string {
  const assertion = readAssertion(source, flags);
  if (assertion !== undefined) {
    if (readQuantifier(source) !== "") throw nothingToRepeat();
    return assertion;
  }
  if (/^[*+?]$/.test(source.peek()) || QUANTIFIER.test(source.peek(24))) throw nothingToRepeat();
  const atom = readAtom(source, flags, depth);
  const quantifier = readQuantifier(source);
  if (quantifier !== "" && readQuantifier(source) !== "") throw nothingToRepeat();
  return `${atom}${quantifier}`;
}

const nothingToRepeat = (): PatternError =>
  new PatternError("has a quantifier such as * with nothing to repeat; remove it, or write \\* for a star");

function readAssertion(source: SourceReader, { m }: Flags): string | undefined {
  if (source.take("^")) return m ? "(?m:^)" : "\\A";
  if (source.take("$")) return m ? "(?m:$)" : "\\z";
  if (source.take("\\b")) return "\\b";
  return source.take("\\B") ? "\\B" : undefined;
}

function readAtom(source: SourceReader, flags: Flags, depth: number): string {
  const char = source.next();
  switch (char) {
    case ".":
      return flags.s ? ANY : ANY_IN_LINE;
    case "[":
      return inFlags(readClass(source, flags.i), flags);
    case "(":
      return readGroup(source, flags, depth);
    case "\\": {
      const escaped = readEscape(source, flags.i);
      return inFlags("code" in escaped ? characterText(escaped.code) : `[${escaped.set}]`, flags);
    }
    default:
      return inFlags(characterText(char.codePointAt(0) ?? 0), flags);
  }
}

const inFlags = (atom: string, { i }: Flags): string => (i ? `(?i:${atom})` : atom);

function readGroup(source: SourceReader, flags: Flags, depth: number): string {
  const inner = readAlternatives(source, groupFlags(source, flags), depth + 1);
  if (!source.take(")")) throw new PatternError("has a ( without a ); add the ), or write \\( for a parenthesis");
  return `(?:${inner})`;
}

/** Reads what follows the `(` of a group, and returns the flags inside. Groups are not captured. */
function groupFlags(source: SourceReader, flags: Flags): Flags {
  if (!source.take("?")) return flags;
  if (source.take(":")) return flags;
  for (const start of ["=", "!", "<=", "<!"]) {
    if (source.take(start)) throw new PatternError(`has (?${start}…), which is not supported; ${INSTEAD_OF_LOOKING}`);
  }
  if (source.match(/^<[\p{L}_$][\p{L}\p{N}_$]*>/u, 100) !== undefined) return flags;
  const modified = source.match(/^([ims]*)(?:-([ims]*))?:/, 12);
  if (modified !== undefined) return changed(flags, modified[1] ?? "", modified[2] ?? "");
  if (source.match(/^[a-z]+\)/i, 12) !== undefined)
    throw new PatternError("sets flags without a group; put what they are for into one, such as (?i:…)");
  throw new PatternError("has an unknown kind of group; use (…), (?:…), (?<name>…) or (?i:…)");
}

const INSTEAD_OF_LOOKING = "match the text around it as well, or use two rules, one of them with `contains`";

function changed(flags: Flags, on: string, off: string): Flags {
  const value = (flag: keyof Flags): boolean => (flags[flag] || on.includes(flag)) && !off.includes(flag);
  return { i: value("i"), m: value("m"), s: value("s") };
}

const QUANTIFIER = /^\{(\d{1,9})(,(\d{0,9}))?\}/;

/** A quantifier, lazy or not; empty if none is next. */
function readQuantifier(source: SourceReader): string {
  const symbol = source.match(/^[*+?]\??/, 2)?.[0];
  if (symbol !== undefined) return symbol;
  const found = source.match(QUANTIFIER, 24);
  if (found === undefined) return "";
  const [text, least = "", , most = ""] = found;
  if (Math.max(Number(least), Number(most)) > MAX_REPEATS) {
    throw new PatternError(`repeats more than ${MAX_REPEATS} times with ${text}; use a smaller count, or + for any`);
  }
  if (most !== "" && Number(most) < Number(least)) {
    throw new PatternError(`has ${text}, which ends before it starts; write {${most},${least}}`);
  }
  return `${text}${source.take("?") ? "?" : ""}`;
}
