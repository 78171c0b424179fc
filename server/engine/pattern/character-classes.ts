import { isLineEnd } from "./characters.ts";
import type { CharacterSet } from "./program.ts";
import type { Work } from "./work.ts";

/** What is beside a position, as assertions see it. */
export const Beside = { textEdge: 0, lineEnd: 1, word: 2, other: 3 } as const;
export type Beside = (typeof Beside)[keyof typeof Beside];

/** Characters that a pattern cannot tell apart. */
export interface CharacterClass {
  readonly number: number;
  readonly beside: Beside;
  /** By set: 1 if it has the characters. */
  readonly isIn: Uint8Array;
}

const PAGE = 256;

/** Divides characters into classes that a pattern cannot tell apart, each character when it is first seen. */
export class CharacterClasses {
  readonly #sets: readonly CharacterSet[];
  readonly #hasAssertions: boolean;
  readonly #classes: CharacterClass[] = [];
  readonly #byKey = new Map<string, CharacterClass>();
  /** By character: its class, counted from 1; 0 while it is not known. */
  readonly #pages: (Uint16Array | undefined)[] = [];

  constructor(sets: readonly CharacterSet[], hasAssertions: boolean) {
    this.#sets = sets;
    this.#hasAssertions = hasAssertions;
  }

  /** The class of a character, a code point. */
  classOf(code: number, work: Work): CharacterClass {
    const known = this.#pages[code >> 8]?.[code & (PAGE - 1)];
    return (known === undefined ? undefined : this.#classes[known - 1]) ?? this.#add(code, work);
  }

  #add(code: number, work: Work): CharacterClass {
    const found = this.#find(code);
    work.left -= 8 * this.#sets.length + 8;
    const page = this.#pages[code >> 8] ?? new Uint16Array(PAGE);
    page[code & (PAGE - 1)] = found.number + 1;
    this.#pages[code >> 8] = page;
    return found;
  }

  #find(code: number): CharacterClass {
    const beside = this.#hasAssertions ? besideOf(code) : Beside.other;
    const isIn = Uint8Array.from(this.#sets, (has) => (has(code) ? 1 : 0));
    const key = `${beside}${isIn.join("")}`;
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const added = { number: this.#classes.length, beside, isIn };
    this.#classes.push(added);
    this.#byKey.set(key, added);
    return added;
  }
}

function besideOf(code: number): Beside {
  if (isLineEnd(code)) return Beside.lineEnd;
  const isWord = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
  const isDigit = code >= 0x30 && code <= 0x39;
  return code < 0x80 && (isWord || isDigit || code === 0x5f) ? Beside.word : Beside.other;
}
