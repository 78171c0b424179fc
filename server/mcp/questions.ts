import type { ElicitAnswer, ElicitQuestion } from "../../shared/contract/mcp-question.ts";
import type { Elicit } from "./elicitation.ts";

/** Questions of one server that wait for the user; what is more is not asked. */
const MAX_WAITING = 10;
/** After so many refusals in a row a server's questions are not asked any more until its next call. */
const MAX_REFUSED = 3;

/**
 * Puts a server's questions to the user one after another. They are modal dialogs, so a server that asks again and again
 * would keep the user from doing anything else, such as stopping it.
 */
export class Questions {
  readonly #elicit: Elicit;
  readonly #log: (line: string) => void;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #refused = 0;

  constructor(elicit: Elicit, log: (line: string) => void) {
    this.#elicit = elicit;
    this.#log = log;
  }

  /** A call begins, for which the server may ask. */
  callBegins(): void {
    this.#refused = 0;
  }

  readonly ask: Elicit = async (question, signal) => {
    if (this.#waiting >= MAX_WAITING) return { action: "cancel" };
    this.#waiting += 1;
    const answer = this.#last.then(() => this.#answer(question, signal));
    this.#last = answer.catch(() => undefined);
    try {
      return await answer;
    } finally {
      this.#waiting -= 1;
    }
  };

  async #answer(question: ElicitQuestion, signal: AbortSignal): Promise<ElicitAnswer> {
    if (signal.aborted) return { action: "cancel" };
    if (this.#refused >= MAX_REFUSED) return { action: "decline" };
    const answer = await this.#elicit(question, signal);
    if (answer.action === "accept") this.#refused = 0;
    else if (!signal.aborted) this.#refused += 1;
    if (this.#refused === MAX_REFUSED)
      this.#log(`Its questions were refused ${MAX_REFUSED} times, and are declined until its next call.`);
    return answer;
  }
}
