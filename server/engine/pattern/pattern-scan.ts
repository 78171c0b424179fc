import type { Automaton, State } from "./automaton.ts";
import type { TextReader } from "./text-search.ts";
import type { Work } from "./work.ts";

const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;

/** Matches a pattern with a text that comes in pieces, each character once. */
export class PatternScan implements TextReader {
  readonly #automaton: Automaton;
  #state: State | undefined;
  /** The first half of a surrogate pair whose other half may follow. */
  #high: number | undefined;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
  }

  /** True if a part of the text so far matches, whatever follows. */
  get isMatched(): boolean {
    return this.#state?.isMatch === true;
  }

  /** Reads `text` from the position `from`, until a match or until the work is used up; returns the position after that. */
  read(text: string, from: number, work: Work): number {
    let state = this.#state ?? this.#automaton.start(work);
    let at = from;
    for (; at < text.length && work.left > 0 && !state.isMatch; at++) {
      work.left -= 1;
      const unit = text.charCodeAt(at);
      const high = this.#high;
      if (high === undefined && !isHigh(unit)) {
        state = this.#automaton.step(state, unit, work);
        continue;
      }
      this.#high = isHigh(unit) ? unit : undefined;
      if (high === undefined) continue;
      const pair = String.fromCharCode(high, unit).codePointAt(0) ?? high;
      state = this.#automaton.step(state, pair, work);
      if (!isHigh(unit) && !isLow(unit)) state = this.#automaton.step(state, unit, work);
    }
    this.#state = state;
    return at;
  }

  /** Whether the text so far, as a complete text, has a match. */
  matchesAtEnd(work: Work): boolean {
    const state = this.#state ?? this.#automaton.start(work);
    const last = this.#high === undefined ? state : this.#automaton.step(state, this.#high, work);
    return this.#automaton.matchesAtEnd(last, work);
  }
}
