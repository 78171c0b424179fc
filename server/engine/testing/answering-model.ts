import type { Model, ModelCallContext, ModelPart, ModelRequest } from "../model.ts";

/** A model with a fixed answer for each request, however often it is asked. The answer is streamed word by word. */
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

/** The whole text of a request. */
export const textOfRequest = ({ instructions, items }: ModelRequest): string =>
  [instructions, ...items.map((item) => ("content" in item ? String(item.content) : ""))].join("\n");
