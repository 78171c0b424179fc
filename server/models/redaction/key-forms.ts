/** Where a form of a key was found: it ends at `end`, or is cut off by the end of the text. */
export type FoundKey = { readonly isWhole: true; readonly end: number } | { readonly isWhole: false };

const CUT_OFF: FoundKey = { isWhole: false };

const PERCENT = 0x25;
const BACKSLASH = 0x5c;

/** JSON in JSON, and so on, has several backslashes before a character; more than this are not recognized. */
const MOST_BACKSLASHES = 8;

/**
 * The forms in which an endpoint may repeat a key: itself, in hex, and in base64, alone or within something longer (`Bearer
 * KEY`). Each is found in any letter case, in the URL-safe alphabet of base64, and with any of its characters escaped as
 * in a URL (`%2B`) or in JSON (`\/`, `\u002b`).
 */
export class KeyForms {
  readonly #forms: readonly (readonly number[])[];
  /** By code: whether a form can start with it. */
  readonly #starts: readonly boolean[];

  /** @param key not empty, and of ASCII characters, as it is sent in a header */
  constructor(key: string) {
    const forms = [key, Buffer.from(key).toString("hex"), ...base64Forms(key)].filter((form) => form !== "");
    this.#forms = [...new Set(forms)].map((form) => [...form].map((character) => folded(character.charCodeAt(0))));
    const firsts = new Set([PERCENT, BACKSLASH, ...this.#forms.map(([first]) => first)]);
    this.#starts = Array.from({ length: 128 }, (_, code) => firsts.has(folded(code)));
  }

  /** The form that starts at an index of a text, whole if there is a whole one. */
  foundAt(text: string, start: number): FoundKey | undefined {
    if (!this.#starts[text.charCodeAt(start)]) return undefined;
    let found: FoundKey | undefined;
    for (const form of this.#forms) {
      const here = formAt(text, start, form);
      if (here?.isWhole) return here;
      found ??= here;
    }
    return found;
  }
}

/**
 * A key as it appears in base64 after 0, 1 or 2 bytes of something else, and so after any number of bytes: only the
 * characters that depend on nothing but the key.
 */
function base64Forms(key: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    const firstOwn = Math.ceil((before * 8) / 6);
    const afterLastOwn = Math.floor((bytes.length * 8) / 6);
    return bytes.toString("base64").slice(firstOwn, afterLastOwn);
  });
}

/** A character's code, the same for both letter cases and for both alphabets of base64. */
function folded(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code + 0x20;
  if (code === 0x2d) return 0x2b;
  return code === 0x5f ? 0x2f : code;
}

function formAt(text: string, start: number, form: readonly number[]): FoundKey | undefined {
  let at = start;
  for (const wanted of form) {
    if (at >= text.length) return CUT_OFF;
    const found = characterAt(text, at, wanted);
    if (found === undefined || !found.isWhole) return found;
    at = found.end;
  }
  return { isWhole: true, end: at };
}

/** One character of a form, as it is or escaped. */
function characterAt(text: string, at: number, wanted: number): FoundKey | undefined {
  const code = text.charCodeAt(at);
  if (code === PERCENT) {
    const encoded = hexAt(text, at + 1, 2, wanted);
    if (encoded !== undefined) return encoded;
  }
  if (folded(code) === wanted) return { isWhole: true, end: at + 1 };
  return code === BACKSLASH ? escapedAt(text, at, wanted) : undefined;
}

/** After one or more backslashes. */
function escapedAt(text: string, start: number, wanted: number): FoundKey | undefined {
  let at = start;
  while (text.charCodeAt(at) === BACKSLASH && at - start < MOST_BACKSLASHES) at += 1;
  if (at === text.length) return CUT_OFF;
  const letter = text[at];
  const digits = letter === "u" ? 4 : letter === "x" ? 2 : 0;
  const encoded = digits === 0 ? undefined : hexAt(text, at + 1, digits, wanted);
  if (encoded !== undefined) return encoded;
  return folded(text.charCodeAt(at)) === wanted ? { isWhole: true, end: at + 1 } : undefined;
}

/** A character's code in hexadecimal digits. */
function hexAt(text: string, at: number, length: number, wanted: number): FoundKey | undefined {
  const digits = text.slice(at, at + length);
  if (!/^[\da-f]*$/i.test(digits)) return undefined;
  if (digits.length < length) return CUT_OFF;
  return folded(Number.parseInt(digits, 16)) === wanted ? { isWhole: true, end: at + length } : undefined;
}
