import { KeyForms } from "./key-forms.ts";

/** Written in the place of a key. */
export const REDACTED = "[key]";

/** A shorter key occurs in ordinary answers, and is no secret: local servers are given words such as `x` and `ollama`. */
const SHORTEST_KEY = 8;

/** Fewer characters than this that may begin a key are passed on before it is known whether they do. */
const FEWEST_HELD = 8;

/** A text that ends in the middle of a key is not shown from there on if it has more of the key than this. */
const MOST_SHOWN_AT_END = 8;

/**
 * Removes a key from a text that comes in pieces. Text passes at once unless it ends with what may be the beginning of the
 * key; then that end waits for the next piece. Less than a quarter of a key, at most 7 characters, does not wait, so
 * that ordinary text passes.
 */
export class KeyRedactor {
  readonly #forms: KeyForms;
  readonly #fewestHeld: number;
  /** The end of the text so far that may begin the key, of which the first `#shown` characters have been passed on. */
  #end = "";
  #shown = 0;

  private constructor(key: string) {
    this.#forms = new KeyForms(key);
    this.#fewestHeld = Math.min(FEWEST_HELD, Math.ceil(key.length / 4));
  }

  /** @returns undefined for no key, or one that is too short to be a secret. */
  static for(key: string | undefined, shortest = SHORTEST_KEY): KeyRedactor | undefined {
    return key === undefined || key.length < shortest ? undefined : new KeyRedactor(key);
  }

  /** The text that can be passed on after another piece; empty if all of it has to wait. */
  add(piece: string): string {
    const text = this.#end + piece;
    let shown = this.#shown;
    let passed = "";
    let at = 0;
    while (at < text.length) {
      const found = this.#forms.foundAt(text, at);
      if (found === undefined) {
        at += 1;
      } else if (found.isWhole) {
        passed += text.slice(shown, at) + REDACTED;
        at = found.end;
        shown = at;
      } else {
        break;
      }
    }
    const passedTo = text.length - at < this.#fewestHeld ? text.length : at;
    passed += text.slice(shown, passedTo);
    this.#end = text.slice(at);
    this.#shown = Math.max(shown, passedTo) - at;
    return passed;
  }

  /** The text that still waits when no more follows. */
  finish(): string {
    const text = this.#end;
    let shown = this.#shown;
    this.#end = "";
    this.#shown = 0;
    let passed = "";
    for (let at = 0; at < text.length; ) {
      const found = this.#forms.foundAt(text, at);
      const end = found?.isWhole ? found.end : text.length;
      if (found === undefined || (!found.isWhole && end - at <= MOST_SHOWN_AT_END)) {
        at += 1;
        continue;
      }
      passed += text.slice(shown, at) + REDACTED;
      at = end;
      shown = end;
    }
    return passed + text.slice(shown);
  }

  /** A complete text without the key. */
  whole(text: string): string {
    return this.add(text) + this.finish();
  }
}
