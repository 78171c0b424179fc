import { Beside, type CharacterClass, CharacterClasses } from "./character-classes.ts";
import { Assert, Kind, type Program } from "./program.ts";
import type { Work } from "./work.ts";

/** What an automaton knows after the text so far. */
export interface State {
  /** The instructions that read the next character, and the assertions about it. */
  readonly at: readonly number[];
  readonly asserts: boolean;
  readonly before: Beside;
  /** True if a part of the text so far matches, whatever follows. */
  readonly isMatch: boolean;
  /** The next state by the class of the next character. */
  readonly next: (State | undefined)[];
}

/** The limit on the remembered states: their instructions and transitions. When it is reached they are forgotten. */
const MAX_REMEMBERED = 50_000;

/** The assertions that depend on the next character. */
const AHEAD = Assert.lineEnd | Assert.textEnd | Assert.boundary | Assert.noBoundary;

/** What a new state costs beside the instructions that are visited, as a number of visits. */
const NEW_STATE = 64;

/** A visit takes about three times as long as a step to a known state. */
const UNITS_PER_VISIT = 3;

/**
 * Finds whether a text has a match, one character at a time: a deterministic automaton that is built lazily (Cox, "Regular
 * Expression Matching in the Wild", swtch.com/~rsc/regexp/regexp3.html). A known state takes one step per character; a new
 * one visits each instruction at most twice.
 */
export class Automaton {
  readonly #program: Program;
  readonly #classes: CharacterClasses;
  readonly #states = new Map<string, State>();
  readonly #visited: Uint32Array;
  /** One bit for each instruction, and the character before: what distinguishes states. */
  readonly #bits: Uint16Array;
  #visit = 0;
  #remembered = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#classes = new CharacterClasses(program.sets, program.hasAssertions);
    this.#visited = new Uint32Array(program.size);
    this.#bits = new Uint16Array((program.size >> 4) + 2);
  }

  /** The state before the first character. */
  start(work: Work): State {
    return this.#stateOf([this.#program.start], Beside.textEdge, work);
  }

  /** The state after another character, a code point. */
  step(state: State, code: number, work: Work): State {
    const characters = this.#classes.classOf(code, work);
    return state.next[characters.number] ?? this.#follow(state, characters, work);
  }

  /** Whether a text that ends in that state has a match. */
  matchesAtEnd({ at, before, isMatch }: State, work: Work): boolean {
    return isMatch || this.#close(at, flagsBetween(before, Beside.textEdge), 0, work).isMatch;
  }

  #follow(state: State, characters: CharacterClass, work: Work): State {
    const { beside } = characters;
    const closed = state.asserts ? this.#close(state.at, flagsBetween(state.before, beside), 0, work) : state;
    work.left -= closed.at.length;
    const next = closed.isMatch ? MATCHED : this.#stateOf(this.#read(closed.at, characters), beside, work);
    if (this.#remembered > MAX_REMEMBERED) {
      this.#states.clear();
      this.#remembered = 0;
    }
    state.next[characters.number] = next;
    this.#remembered += 1;
    return next;
  }

  /** Where the instructions lead that read one of the characters. A match may also begin after it. */
  #read(at: readonly number[], { isIn }: CharacterClass): readonly number[] {
    const { kinds, details, targets, start } = this.#program;
    const reached: number[] = [];
    for (const position of at) {
      const target = targets[position];
      if (kinds[position] === Kind.read && isIn[details[position] ?? 0] === 1 && target !== undefined) {
        reached.push(target);
      }
    }
    reached.push(start);
    return reached;
  }

  #stateOf(from: readonly number[], before: Beside, work: Work): State {
    const { at, asserts, isMatch } = this.#close(from, flagsAfter(before), AHEAD, work);
    if (isMatch) return MATCHED;
    const key = this.#keyOf(at, asserts ? before : Beside.other);
    const known = this.#states.get(key);
    if (known !== undefined) return known;
    const state: State = { at, asserts, before, isMatch, next: [] };
    this.#states.set(key, state);
    this.#remembered += at.length + this.#bits.length + NEW_STATE;
    return state;
  }

  #keyOf(at: readonly number[], before: Beside): string {
    this.#bits.fill(0);
    for (const position of at) {
      const place = position >> 4;
      this.#bits[place] = (this.#bits[place] ?? 0) | (1 << (position & 15));
    }
    this.#bits[this.#bits.length - 1] = before;
    return String.fromCharCode(...this.#bits);
  }

  /**
   * The instructions that can be reached without reading. Assertions hold by `flags`; those that may still hold because they
   * need only what is in `open` are kept.
   */
  #close(from: readonly number[], flags: number, open: number, work: Work): Pick<State, "at" | "asserts" | "isMatch"> {
    const { kinds, targets, details } = this.#program;
    const at: number[] = [];
    const stack = [...from];
    let asserts = false;
    let isMatch = false;
    let visits = NEW_STATE;
    this.#visit += 1;
    for (let position = stack.pop(); position !== undefined; position = stack.pop()) {
      visits += 1;
      if (position < 0 || this.#visited[position] === this.#visit) continue;
      this.#visited[position] = this.#visit;
      const target = targets[position] ?? -1;
      const detail = details[position] ?? -1;
      switch (kinds[position]) {
        case Kind.go:
          stack.push(target, detail);
          break;
        case Kind.assert: {
          const missing = detail & ~flags;
          if (missing === 0) stack.push(target);
          else if ((missing & ~open) === 0) {
            at.push(position);
            asserts = true;
          }
          break;
        }
        case Kind.read:
          at.push(position);
          break;
        case Kind.match:
          isMatch = true;
          break;
        default:
      }
    }
    work.left -= UNITS_PER_VISIT * visits;
    return { at, asserts, isMatch };
  }
}

const MATCHED: State = { at: [], asserts: false, before: Beside.other, isMatch: true, next: [] };

/** The assertions that hold after a character, whatever follows. */
function flagsAfter(before: Beside): number {
  if (before === Beside.textEdge) return Assert.textStart | Assert.lineStart;
  return before === Beside.lineEnd ? Assert.lineStart : 0;
}

/** The assertions that hold between two characters. */
function flagsBetween(before: Beside, after: Beside): number {
  const isBoundary = (before === Beside.word) !== (after === Beside.word);
  const boundary = isBoundary ? Assert.boundary : Assert.noBoundary;
  if (after === Beside.textEdge) return flagsAfter(before) | boundary | Assert.lineEnd | Assert.textEnd;
  return flagsAfter(before) | boundary | (after === Beside.lineEnd ? Assert.lineEnd : 0);
}
