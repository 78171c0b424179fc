import type { ModelPart } from "../../engine/model.ts";

const OPEN = "<think>";
const CLOSE = "</think>";

/**
 * Separates the thoughts of a model from its text where its endpoint does not: many local models think between `<think>` and
 * `</think>` before they answer. Tags anywhere but at the start of the text are text.
 */
export class ThinkTags {
  #state: "beforeOpen" | "thinking" | "beforeText" | "text" = "beforeOpen";
  #held = "";
  #hasThought = false;

  /** Whether everything that follows is text. */
  get isOver(): boolean {
    return this.#state === "text";
  }

  /** The parts known so far. What may become part of a tag is held back, as is white space before thoughts and text. */
  add(delta: string): ModelPart[] {
    if (this.#state === "text") return [{ type: "text", delta }];
    this.#held += delta;
    const parts: ModelPart[] = [];
    if (this.#state === "beforeOpen") this.#open(parts);
    if (this.#state === "thinking") this.#think(parts);
    if (this.#state === "beforeText") this.#answer(parts);
    return parts;
  }

  /** The part that was held back when the text ended. */
  finish(): ModelPart[] {
    const held = this.#held;
    this.#held = "";
    if (held === "" || this.#state === "beforeText") return [];
    return [{ type: this.#state === "thinking" ? "thought" : "text", delta: held }];
  }

  #open(parts: ModelPart[]): void {
    const start = this.#held.trimStart();
    if (start.startsWith(OPEN)) {
      this.#state = "thinking";
      this.#held = start.slice(OPEN.length);
    } else if (!OPEN.startsWith(start)) {
      this.#startText(parts, this.#held);
    }
  }

  #think(parts: ModelPart[]): void {
    if (!this.#hasThought) this.#held = this.#held.trimStart();
    const end = this.#held.indexOf(CLOSE);
    const thought = this.#held.slice(0, end === -1 ? this.#held.length - partialTagLength(this.#held) : end);
    if (thought !== "") {
      this.#hasThought = true;
      parts.push({ type: "thought", delta: thought });
    }
    this.#held = this.#held.slice(thought.length + (end === -1 ? 0 : CLOSE.length));
    if (end !== -1) this.#state = "beforeText";
  }

  #answer(parts: ModelPart[]): void {
    const text = this.#held.trimStart();
    if (text !== "") this.#startText(parts, text);
  }

  #startText(parts: ModelPart[], delta: string): void {
    this.#state = "text";
    this.#held = "";
    parts.push({ type: "text", delta });
  }
}

/** How many characters at the end of a text may be the start of the closing tag. */
function partialTagLength(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length -= 1) {
    if (CLOSE.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
