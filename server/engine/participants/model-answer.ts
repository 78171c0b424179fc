import type { Usage } from "../../../shared/contract/message.ts";
import type { Collector } from "../cancellation/collector.ts";
import type { ModelCall, ModelPart } from "../model.ts";

/** A model's answer, complete or partial. */
export interface ModelAnswer {
  readonly text: string;
  readonly thought: string;
  readonly calls: readonly ModelCall[];
  readonly usage: Usage | undefined;
}

/** Collects a model's stream into its answer, and reports text and thoughts as they come. */
export class AnswerCollector implements Collector<ModelPart, ModelAnswer> {
  readonly #onText: (delta: string) => void;
  readonly #onThought: (delta: string) => void;
  #text = "";
  #thought = "";
  #calls: readonly ModelCall[] = [];
  #usage: Usage | undefined;

  constructor(onText: (delta: string) => void, onThought: (delta: string) => void = () => {}) {
    this.#onText = onText;
    this.#onThought = onThought;
  }

  add(part: ModelPart): void {
    switch (part.type) {
      case "text":
        this.#text += part.delta;
        if (part.delta !== "") this.#onText(part.delta);
        return;
      case "thought":
        this.#thought += part.delta;
        if (part.delta !== "") this.#onThought(part.delta);
        return;
      case "calls":
        this.#calls = part.calls;
        return;
      case "usage":
        this.#usage = part.usage;
        return;
    }
  }

  result(): ModelAnswer {
    return { text: this.#text, thought: this.#thought, calls: this.#calls, usage: this.#usage };
  }
}
