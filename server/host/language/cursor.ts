import { isMap, isScalar, isSeq, type Node } from "yaml";
import type { Path } from "../definition/path.ts";
import { type IncompleteText, LONGEST_TEXT, readIncomplete } from "./incomplete-text.ts";

/** Where in a team file the text cursor is. */
export interface Cursor {
  /** `key`: a key of the map at `path` is being written. `value`: the value at `path` is. */
  readonly kind: "key" | "value";
  readonly path: Path;
  /** What is being written, as offsets, quotes included. */
  readonly start: number;
  readonly end: number;
  /** The character in which it is quoted. */
  readonly quote: string | undefined;
  /** In `[]` or `{}`, as everything in JSON is. */
  readonly isFlow: boolean;
  /** It is alone on its line, so that a value can also become the first key of a map, or a list. */
  readonly isAlone: boolean;
  /** The column at which it starts, from 0. */
  readonly column: number;
  /** The content of the file without what is being written. */
  readonly content: unknown;
}

/** A word that no team file has. */
const HERE = "gavelCursorIsHere";

/** Where the cursor is, at an offset of a text that is usually not complete. Undefined in comments, texts and the like. */
export function cursorAt(text: string, offset: number): Cursor | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  const word = wordAt(text, offset);
  const lineStart = text.lastIndexOf("\n", word.start - 1) + 1;
  const lineEnd = text.indexOf("\n", word.end);
  const before = text.slice(lineStart, word.start);
  const after = text.slice(word.end, lineEnd === -1 ? undefined : lineEnd);
  const isAlone = /^\s*(?:- +)*$/.test(before) && after.trim() === "";
  const written = word.quote === undefined ? HERE : word.quote + HERE + word.quote;
  const tries = isAlone && word.quote === undefined ? [written, `${written}:`] : [written];
  for (const replacement of tries) {
    const found = locate(text.slice(0, word.start) + replacement + text.slice(word.end));
    if (found !== undefined) return { ...word, ...found, isAlone, column: word.start - lineStart };
  }
  return undefined;
}

interface Word {
  readonly start: number;
  readonly end: number;
  readonly quote: string | undefined;
}

/** The word around an offset, with its quotes. */
function wordAt(text: string, offset: number): Word {
  let start = offset;
  let end = offset;
  while (start > 0 && isWordCharacter(text.charAt(start - 1))) start--;
  while (end < text.length && isWordCharacter(text.charAt(end))) end++;
  const quote = text.charAt(start - 1);
  const isQuoted = (quote === '"' || quote === "'") && text.charAt(end) === quote;
  return isQuoted ? { start: start - 1, end: end + 1, quote } : { start, end, quote: undefined };
}

const isWordCharacter = (character: string): boolean => /[\p{L}\p{N}_$./@*-]/u.test(character);

type Found = Pick<Cursor, "kind" | "path" | "isFlow" | "content">;

function locate(text: string): Found | undefined {
  const read = readIncomplete(text);
  const found = read === undefined ? undefined : find(read.root, [], false);
  if (read === undefined || found === undefined) return undefined;
  try {
    return { ...found, content: contentWithout(read, found) };
  } catch (error) {
    // Too many aliases: there is a problem to correct first.
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

type Place = Omit<Found, "content">;

function find(node: Node | null, path: Path, isFlow: boolean): Place | undefined {
  if (isScalar(node)) return node.value === HERE ? { kind: "value", path, isFlow } : undefined;
  if (isSeq<Node | null>(node)) {
    return first(node.items, (item, at) => find(item, [...path, at], node.flow === true));
  }
  if (!isMap<Node, Node | null>(node)) return undefined;
  return first(node.items, ({ key, value }) => {
    const name = isScalar(key) ? String(key.value) : "";
    if (name === HERE) return { kind: "key", path, isFlow: node.flow === true };
    return find(value, [...path, name], node.flow === true);
  });
}

/** What `look` finds in the first item in which it finds something. */
function first<T, R>(items: readonly T[], look: (item: T, at: number) => R | undefined): R | undefined {
  for (const [at, item] of items.entries()) {
    const found = look(item, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function contentWithout({ document, content }: IncompleteText, { kind, path }: Place): unknown {
  if (kind === "key") document.deleteIn([...path, HERE]);
  else if (path.length > 0) document.setIn(path, null);
  return path.length === 0 && kind === "value" ? undefined : content();
}
