import type { ModelPart } from "../../engine/model.ts";
import { ThinkTags } from "./think-tags.ts";

/** The thoughts and text of an answer, in order, as parts that are passed on while it streams. */
export class AnswerText {
  readonly #tags: ThinkTags | undefined;
  #queue: ModelPart[] = [];
  #hasStarted = false;

  /** @param hasThinkTags whether the text may start with thoughts between `<think>` tags */
  constructor(hasThinkTags: boolean) {
    this.#tags = hasThinkTags ? new ThinkTags() : undefined;
  }

  /** Whether any part has been passed on. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /**
   * Adds an event's thought and text, either of which may be empty; returns the first part, `nextPart` returns the
   * others.
   */
  add(thought: string, text: string): ModelPart | undefined {
    if (thought === "" && (this.#tags === undefined || this.#tags.isOver)) {
      return text === "" ? undefined : this.#passOn({ type: "text", delta: text });
    }
    if (thought !== "") this.#queue.push({ type: "thought", delta: thought });
    if (text !== "") this.#queue.push(...this.#split(text));
    return this.nextPart();
  }

  nextPart(): ModelPart | undefined {
    if (this.#queue.length === 0) return undefined;
    const part = this.#queue.shift();
    return part === undefined ? undefined : this.#passOn(part);
  }

  /** The parts that were still held back when the answer ended. */
  finish(): readonly ModelPart[] {
    const parts = this.#tags?.finish() ?? [];
    if (parts.length > 0) this.#hasStarted = true;
    return parts;
  }

  #split(text: string): readonly ModelPart[] {
    return this.#tags?.add(text) ?? [{ type: "text", delta: text }];
  }

  #passOn(part: ModelPart): ModelPart {
    this.#hasStarted = true;
    return part;
  }
}
