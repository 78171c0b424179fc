import type { TeamEvent } from "../../shared/contract/event.ts";
import { textOf } from "../../shared/contract/message-text.ts";

/** What this command does to a thread, so that what its user does in another client can be told apart. */
export class OwnActs {
  readonly #user: string;
  /** Texts that were sent, and are not in the thread yet. */
  readonly #texts: string[] = [];
  readonly #decided = new Set<string>();
  #rules = 0;
  #interrupts = 0;

  /** @param user the id of the user of this command */
  constructor(user: string) {
    this.#user = user;
  }

  sends(text: string): void {
    this.#texts.push(text);
  }

  decides(ref: string): void {
    this.#decided.add(ref);
  }

  interrupts(): void {
    this.#interrupts += 1;
  }

  /** While a rule is added, it is what decides calls. */
  async whileAddingRule<T>(added: Promise<T>): Promise<T> {
    this.#rules += 1;
    try {
      return await added;
    } finally {
      this.#rules -= 1;
    }
  }

  /** Whether an event is an act that was not done here; asked once for each event. */
  isElsewhere(event: TeamEvent): boolean {
    switch (event.type) {
      case "message/added": {
        const { source, type } = event.message;
        if (event.path !== undefined || source !== this.#user || type === "HandoffMessage") return false;
        return !this.#takeText(textOf(event.message));
      }
      case "tool/resolved":
      case "tool/approved":
        return this.#rules === 0 && !this.#decided.has(event.ref);
      case "interrupt/requested":
        if (this.#interrupts === 0) return true;
        this.#interrupts -= 1;
        return false;
      default:
        return false;
    }
  }

  #takeText(text: string): boolean {
    const at = this.#texts.indexOf(text);
    if (at !== -1) this.#texts.splice(at, 1);
    return at !== -1;
  }
}
