import type { ModelPart } from "../../../engine/model.ts";
import { ThinkTags } from "./think-tags.ts";

/** What of an answer is told while it comes: its thoughts and its text, in their order. */
export class AnswerText {
  readonly #tags: ThinkTags | undefined;
  #queue: ModelPart[] = [];
  #begun = false;

  /** @param hasTags whether the text may begin with thoughts between `<think>` tags */
  constructor(hasTags: boolean) {
    this.#tags = hasTags ? new ThinkTags() : undefined;
  }

  /** Whether anything has been told. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Takes what an event thinks and says, empty where it does neither; returns the first part to tell, `more` the others. */
  take(thought: string, text: string): ModelPart | undefined {
    if (thought === "" && (this.#tags === undefined || this.#tags.isOver)) {
      return text === "" ? undefined : this.#told({ type: "text", delta: text });
    }
    if (thought !== "") this.#queue.push({ type: "thought", delta: thought });
    if (text !== "") this.#queue.push(...this.#split(text));
    return this.more();
  }

  more(): ModelPart | undefined {
    if (this.#queue.length === 0) return undefined;
    const part = this.#queue.shift();
    return part === undefined ? undefined : this.#told(part);
  }

  /** What was still held when the answer ended. */
  rest(): readonly ModelPart[] {
    const parts = this.#tags?.rest() ?? [];
    if (parts.length > 0) this.#begun = true;
    return parts;
  }

  #split(text: string): readonly ModelPart[] {
    return this.#tags?.take(text) ?? [{ type: "text", delta: text }];
  }

  #told(part: ModelPart): ModelPart {
    this.#begun = true;
    return part;
  }
}
