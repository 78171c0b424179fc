import { textsIn } from "../json-texts.ts";

/** How much is remembered: more than the calls of one answer can have, so that several answers at a time fit. */
const MAX_INPUTS = 2_000;
const MAX_CHARACTERS = 8_000_000;

/** The texts of a call's input that rules are tested with, computed once for all rules. */
export class CallTexts {
  readonly #known = new Map<unknown, readonly string[]>();
  #characters = 0;

  /** The input as JSON, then each string in it, because JSON escapes some characters. */
  of(input: unknown): readonly string[] {
    const known = this.#known.get(input);
    if (known !== undefined) return known;
    const json = JSON.stringify(input) ?? "";
    const texts = [json, ...textsIn(input)];
    this.#known.set(input, texts);
    this.#characters += json.length;
    for (const oldest of this.#known) {
      if (this.#known.size <= MAX_INPUTS && this.#characters <= MAX_CHARACTERS) break;
      this.#known.delete(oldest[0]);
      this.#characters -= oldest[1][0]?.length ?? 0;
    }
    return texts;
  }
}
