import { LIMITS } from "../../../shared/limits.ts";
import { StreamError } from "../failures/failure.ts";

/** Counts what an answer consists of: its text, thoughts and tool calls. */
export class AnswerSize {
  #characters = 0;
  #calls = 0;

  /** Grows with everything that arrives. */
  get total(): number {
    return this.#characters + this.#calls;
  }

  /** @throws StreamError when the answer is too long. */
  add(...texts: readonly string[]): void {
    for (const text of texts) this.#characters += text.length;
    if (this.#characters > LIMITS.answer.characters)
      throw new StreamError({ kind: "malformed", what: "an answer that never ends" });
  }

  /** @throws StreamError when the answer has too many tool calls. */
  addCall(): void {
    this.#calls += 1;
    if (this.#calls > LIMITS.answer.calls)
      throw new StreamError({ kind: "malformed", what: `more than ${LIMITS.answer.calls} tool calls` });
  }
}
