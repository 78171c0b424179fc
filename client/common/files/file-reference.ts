/** A file that a text names, and where in it. Lines and columns are counted from 1. */
export interface FileReference {
  /** As the text writes it, with `/` between folders: relative, or absolute. */
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  /** The last line of a range. */
  readonly endLine?: number;
}

/** The longest reference, in characters. */
const LONGEST = 500;

/** `:8`, `:8:3`, `:8-12`, `#L8`, `#L8C3`, `#L8-L12`, `#L8C3-L12C1`, `(8)` and `(8,3)`, at the end. */
const LOCATION =
  /(?::(\d{1,7})(?::(\d{1,7})|-(\d{1,7}))?|#L(\d{1,7})(?:C(\d{1,7}))?(?:-L?(\d{1,7})(?:C\d{1,7})?)?|\((\d{1,7})(?:, ?(\d{1,7}))?\))$/;

/** `https:`, `command:`; a single letter is a drive of Windows. */
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;

/**
 * The file that a text names as a whole, such as `src/split.js:8:3` or `file:///home/ann/src/split.js#L8-L12`.
 * @returns undefined for anything else: other schemes, files of other machines (`//host/share`), parts of a page (`#top`).
 */
export function fileReference(text: string): FileReference | undefined {
  if (text.length > LONGEST || /[\p{Cc}\p{Bidi_Control}]/u.test(text)) return undefined;
  const found = LOCATION.exec(text);
  const path = pathOf((found === null ? text : text.slice(0, found.index)).replace(/#.*$/, ""));
  if (path === undefined) return undefined;
  const [line, column, endLine] = [1, 2, 3].map((part) => numberOf(found, part));
  return {
    path,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(endLine === undefined ? {} : { endLine }),
  };
}

/** The line, column or last line of a location: which group of the pattern has it depends on how it is written. */
function numberOf(found: RegExpExecArray | null, part: number): number | undefined {
  const groups = { 1: [1, 4, 7], 2: [2, 5, 8], 3: [3, 6] }[part] ?? [];
  const digits = groups.map((group) => found?.[group]).find((text) => text !== undefined);
  return digits === undefined ? undefined : Math.max(1, Number(digits));
}

function pathOf(written: string): string | undefined {
  const path = /^file:/i.test(written) ? pathOfFileUri(written) : SCHEME.test(written) ? undefined : written;
  const plain = path?.trim().replaceAll("\\", "/");
  return plain === undefined || plain === "" || plain.startsWith("//") ? undefined : plain;
}

/** The path of a `file:` URI of this machine. */
function pathOfFileUri(uri: string): string | undefined {
  const path = /^file:(?:\/\/)?(\/[^/].*)$/i.exec(uri)?.[1];
  return path === undefined ? undefined : decoded(path).replace(/^\/(?=[a-z]:)/i, "");
}

/** A part of an address without percent encoding; as it is where it cannot be decoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A part of a text that may name a file. */
export interface Candidate {
  readonly start: number;
  readonly end: number;
}

/** A file name with an extension, or a path with a folder; not an address. */
const LIKE_A_FILE = /[\\/]|\.[a-z][a-z0-9_]{0,11}$/i;

/** The parts of a text that may name files, in order: words that look like a path. Whether they exist is not known yet. */
export function fileCandidates(text: string): Candidate[] {
  const candidates: Candidate[] = [];
  for (const { 0: word, index } of text.matchAll(/[^\s"'`<>|*?()[\]{},;“”‘’—–…]+/gu)) {
    if (word.length > LONGEST) continue;
    const trimmed = word.replace(/[.:!]+$/, "");
    const reference = word.includes("://") ? undefined : fileReference(trimmed);
    if (reference === undefined || !LIKE_A_FILE.test(reference.path) || !/\p{L}/u.test(reference.path)) continue;
    candidates.push({ start: index, end: index + trimmed.length });
  }
  return candidates;
}

/** Whether a text as a whole, such as inline code, may name a file. */
export function mayNameFile(text: string): boolean {
  const reference = text.includes("://") ? undefined : fileReference(text);
  return reference !== undefined && LIKE_A_FILE.test(reference.path) && /\p{L}/u.test(reference.path);
}
