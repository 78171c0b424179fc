import type { RE2JS } from "re2js";

/** The operations of re2js' instructions that patterns have; lookbehinds are refused before. */
const Op = { alternative: 1, alternativeMatch: 2, capture: 3, assertion: 4, fail: 5, match: 6, nop: 7 } as const;

/** Bits of an assertion: what must be so at its position. The values are those of re2js. */
export const Assert = { lineStart: 1, lineEnd: 2, textStart: 4, textEnd: 8, boundary: 16, noBoundary: 32 } as const;

/** What an instruction of a compiled pattern does. */
export const Kind = { go: 0, assert: 1, read: 2, match: 3, fail: 4 } as const;
type Kind = (typeof Kind)[keyof typeof Kind];

/** A set of characters. */
export type CharacterSet = (code: number) => boolean;

/** A compiled pattern as a nondeterministic automaton: its instructions by their positions. */
export interface Program {
  readonly start: number;
  readonly size: number;
  readonly kinds: Uint8Array;
  /** Where an instruction leads, except for a match. */
  readonly targets: Int32Array;
  /** The second target of `go` (-1 for none), what `assert` needs, or the set of characters of `read`. */
  readonly details: Int32Array;
  /** The different sets of characters that its instructions read. */
  readonly sets: readonly CharacterSet[];
  readonly hasAssertions: boolean;
}

/** An instruction as re2js has it; its declarations say `any`. */
interface Re2Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: ArrayLike<number>;
  matchRune(code: number): boolean;
}

/** Reads the program of a compiled pattern. */
export function programOf(compiled: RE2JS): Program {
  const prog: { readonly start: number; readonly inst: readonly Re2Instruction[] } = compiled.re2().prog;
  const sets = new CharacterSets();
  const kinds = Uint8Array.from(prog.inst, ({ op }) => kindOf(op));
  return {
    start: prog.start,
    size: prog.inst.length,
    kinds,
    targets: Int32Array.from(prog.inst, ({ out }) => out),
    details: Int32Array.from(prog.inst, (instruction) => detailOf(instruction, sets)),
    sets: sets.all,
    hasAssertions: kinds.includes(Kind.assert),
  };
}

function kindOf(op: number): Kind {
  switch (op) {
    case Op.alternative:
    case Op.alternativeMatch:
    case Op.capture:
    case Op.nop:
      return Kind.go;
    case Op.assertion:
      return Kind.assert;
    case Op.fail:
      return Kind.fail;
    case Op.match:
      return Kind.match;
    default:
      return Kind.read;
  }
}

function detailOf(instruction: Re2Instruction, sets: CharacterSets): number {
  const { op, arg } = instruction;
  if (op === Op.alternative || op === Op.alternativeMatch || op === Op.assertion) return arg;
  return kindOf(op) === Kind.read ? sets.numberOf(instruction) : -1;
}

/** Numbers sets of characters, equal ones with the same number. */
class CharacterSets {
  readonly #sets: CharacterSet[] = [];
  readonly #known = new Map<string, { readonly instruction: Re2Instruction; readonly set: number }[]>();

  get all(): readonly CharacterSet[] {
    return this.#sets;
  }

  numberOf(instruction: Re2Instruction): number {
    const { op, arg, runes } = instruction;
    const key = `${op},${arg},${runes.length},${runes[0]},${runes[runes.length - 1]}`;
    const similar = this.#known.get(key) ?? [];
    const known = similar.find((other) => areEqual(other.instruction.runes, runes));
    if (known !== undefined) return known.set;
    const set = this.#sets.push(setOf(instruction)) - 1;
    this.#known.set(key, [...similar, { instruction, set }]);
    return set;
  }
}

/** Any character, and any but a line feed, have operations of their own. */
const ANY = 10;
const ANY_BUT_LINE_FEED = 11;

function setOf(instruction: Re2Instruction): CharacterSet {
  if (instruction.op === ANY) return () => true;
  if (instruction.op === ANY_BUT_LINE_FEED) return (code) => code !== 0x0a;
  return (code) => instruction.matchRune(code);
}

function areEqual(one: ArrayLike<number>, other: ArrayLike<number>): boolean {
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return one.length === other.length;
}
