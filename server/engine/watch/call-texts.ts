import { textsIn } from "../json-texts.ts";

/** How many inputs are remembered: those of calls that are about to be recorded. */
const MAX_INPUTS = 16;

/** The texts of a call's input that rules are tested with, computed once for all rules. */
export class CallTexts {
  readonly #known = new Map<unknown, readonly string[]>();

  /** The input as JSON, then each string in it, because JSON escapes some characters. */
  of(input: unknown): readonly string[] {
    const known = this.#known.get(input);
    if (known !== undefined) return known;
    const texts = [JSON.stringify(input) ?? "", ...textsIn(input)];
    this.#known.set(input, texts);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_INPUTS) this.#known.delete(oldest);
    return texts;
  }
}
