import { StreamError } from "../failures/failure.ts";

/** The limits on one answer, far beyond what a model writes: an endpoint that never stops must not exhaust memory. */
const MOST_CHARACTERS = 2_000_000;
const MOST_CALLS = 500;

/** Counts what an answer consists of: its text, thoughts and tool calls. */
export class AnswerSize {
  #characters = 0;
  #calls = 0;

  /** @throws StreamError when the answer is too long. */
  add(...texts: readonly string[]): void {
    for (const text of texts) this.#characters += text.length;
    if (this.#characters > MOST_CHARACTERS)
      throw new StreamError({ kind: "malformed", what: "an answer that never ends" });
  }

  /** @throws StreamError when the answer has too many tool calls. */
  addCall(): void {
    this.#calls += 1;
    if (this.#calls > MOST_CALLS)
      throw new StreamError({ kind: "malformed", what: `more than ${MOST_CALLS} tool calls` });
  }
}
