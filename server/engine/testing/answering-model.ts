import type { Model, ModelCallContext, ModelPart, ModelRequest } from "../model.ts";

/**
 * A model whose answer follows from what it is asked, so that it is the same however often it is asked; streamed word by
 * word.
 */
export class AnsweringModel implements Model {
  readonly label = "answering";
  readonly requests: ModelRequest[] = [];
  readonly #answer: (request: ModelRequest) => string;

  constructor(answer: (request: ModelRequest) => string) {
    this.#answer = answer;
  }

  async *stream(request: ModelRequest, { signal }: ModelCallContext): AsyncIterable<ModelPart> {
    this.requests.push(structuredClone(request));
    for (const delta of this.#answer(request).split(/(?<= )/)) {
      await undefined;
      if (signal.aborted) return;
      yield { type: "text", delta };
    }
  }
}

/** All that a request says to its model. */
export const textOfRequest = ({ instructions, items }: ModelRequest): string =>
  [instructions, ...items.map((item) => ("content" in item ? String(item.content) : ""))].join("\n");
