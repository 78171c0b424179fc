/**
 * The text of a task, as it grows. An agent may add to it anywhere, replace a part of it, or send all of it again: what is
 * added at the end can be shown at once, everything else only in the whole.
 */
export class TaskText {
  readonly #parts = new Map<string, string>();
  #last: string | undefined;
  #whole = "";
  /** What is in messages, or shown of the next one. */
  #shown: string;
  /** What is in earlier messages. */
  #before: string;
  /** How what is shown and the whole are to each other; comparing them takes time in proportion to their length. */
  #state: "same" | "unknown" | "different";
  #hasBegun = false;

  /** `before`: what the thread has of it already. */
  constructor(before = "") {
    this.#shown = before;
    this.#before = before;
    this.#state = before === "" ? "same" : "unknown";
  }

  /** Adds to a part, which is new if it is not known. Returns what can be shown now. */
  append(id: string, text: string): string {
    if (text === "") return "";
    const known = this.#parts.get(id);
    if (known !== undefined && this.#last !== id) return this.replace(id, known + text);
    const added = known === undefined && this.#whole !== "" ? `\n\n${text}` : text;
    this.#parts.set(id, (known ?? "") + text);
    this.#last = id;
    this.#whole += added;
    return this.#show(added);
  }

  /** Returns what can be shown now. */
  replace(id: string, text: string): string {
    const known = this.#parts.get(id);
    if (known === undefined) return this.append(id, text);
    if (known === text) return "";
    const added = this.#last === id && text.startsWith(known) ? text.slice(known.length) : undefined;
    this.#parts.set(id, text);
    if (added !== undefined) {
      this.#whole += added;
      return this.#show(added);
    }
    this.#whole = [...this.#parts.values()].filter((one) => one !== "").join("\n\n");
    this.#state = "unknown";
    return this.#show("");
  }

  get length(): number {
    return this.#whole.length;
  }

  includes(text: string): boolean {
    return this.#whole.includes(text);
  }

  /** All of it that is not in earlier messages. */
  get message(): string {
    return (this.#whole.startsWith(this.#before) ? this.#whole.slice(this.#before.length) : this.#whole).trimStart();
  }

  /** The message is complete: what comes now is for another. */
  cut(): void {
    this.#before = this.#whole;
    this.#shown = this.#whole;
    this.#state = "same";
    this.#hasBegun = false;
  }

  #show(added: string): string {
    if (this.#state === "different") return "";
    let text = added;
    if (this.#state === "unknown") {
      if (!this.#whole.startsWith(this.#shown)) {
        // Of what the thread has from before, it may only not be known yet.
        if (!this.#shown.startsWith(this.#whole)) this.#state = "different";
        return "";
      }
      text = this.#whole.slice(this.#shown.length);
      this.#state = "same";
    }
    this.#shown = this.#whole;
    if (!this.#hasBegun) text = text.trimStart();
    if (text !== "") this.#hasBegun = true;
    return text;
  }
}
