import { ANY, characterText, NOTHING } from "./characters.ts";
import { type Escape, readEscape } from "./escapes.ts";
import { PatternError } from "./pattern-error.ts";
import type { SourceReader } from "./source-reader.ts";

const BACKSPACE = 0x08;

/** Reads a class such as `[^a-z\d]` after its `[`, and returns it as RE2 writes it. @throws PatternError. */
export function readClass(source: SourceReader, ignoresCase: boolean): string {
  const isNegated = source.take("^");
  const items: string[] = [];
  while (!source.take("]")) items.push(readItem(source, ignoresCase));
  if (items.length === 0) return isNegated ? ANY : NOTHING;
  return `[${isNegated ? "^" : ""}${items.join("")}]`;
}

/** One character, one escape, or a range. */
function readItem(source: SourceReader, ignoresCase: boolean): string {
  const first = readAtom(source, ignoresCase);
  if (source.peek() !== "-" || source.peek(2) === "-]") return textOf(first);
  source.next();
  const last = readAtom(source, ignoresCase);
  if (!("code" in first && "code" in last)) return `${textOf(first)}${characterText(0x2d)}${textOf(last)}`;
  if (first.code > last.code) {
    const [from, to] = [first, last].map(({ code }) => String.fromCodePoint(code));
    throw new PatternError(`has the range ${from}-${to}, which ends before it starts; write ${to}-${from}`);
  }
  return `${characterText(first.code)}-${characterText(last.code)}`;
}

function readAtom(source: SourceReader, ignoresCase: boolean): Escape {
  if (source.isAtEnd) throw new PatternError("has a [ without a ]; add the ], or write \\[ for a bracket");
  const char = source.next();
  if (char !== "\\") return { code: char.codePointAt(0) ?? 0 };
  if (source.take("b")) return { code: BACKSPACE };
  if (source.take("-")) return { code: 0x2d };
  return readEscape(source, ignoresCase);
}

const textOf = (item: Escape): string => ("code" in item ? characterText(item.code) : item.set);
