import type { Usage } from "../../../shared/contract/message.ts";
import type { Model, ModelCall, ModelCallContext, ModelPart, ModelRequest } from "../model.ts";

/** One part of a scripted answer. */
export type ScriptPart =
  | ModelPart
  /** Continues when `until` resolves; ends when the signal is aborted. */
  | { readonly type: "wait"; readonly until: Promise<unknown> }
  /** Continues when `until` resolves, and ignores the signal. */
  | { readonly type: "hang"; readonly until: Promise<unknown> }
  | { readonly type: "throw"; readonly error: unknown }
  | { readonly type: "retry"; readonly attempt: number; readonly waitMs: number; readonly reason: string };

/** What a model does for one request. */
export type ScriptedAnswer = readonly ScriptPart[];

/** A model that gives one answer after another, then "done", and records its requests. */
export class ScriptedModel implements Model {
  readonly label = "scripted";
  readonly requests: ModelRequest[] = [];
  readonly #answers: ScriptedAnswer[];

  constructor(...answers: ScriptedAnswer[]) {
    this.#answers = answers;
  }

  /** The items of its last request. */
  get lastItems(): ModelRequest["items"] {
    return this.requests.at(-1)?.items ?? [];
  }

  async *stream(request: ModelRequest, { signal, onRetry }: ModelCallContext): AsyncIterable<ModelPart> {
    this.requests.push(structuredClone(request));
    for (const part of this.#answers.shift() ?? say("done")) {
      switch (part.type) {
        case "wait":
          await Promise.race([part.until, aborted(signal)]);
          if (signal.aborted) return;
          break;
        case "hang":
          await part.until;
          break;
        case "throw":
          throw part.error;
        case "retry":
          onRetry({ attempt: part.attempt, waitMs: part.waitMs, reason: part.reason });
          break;
        default:
          yield part;
      }
    }
  }
}

/** An answer of text, in these chunks. */
export const say = (...chunks: readonly string[]): ScriptPart[] => chunks.map((delta) => ({ type: "text", delta }));

/** An answer that requests tools. */
export const ask = (...calls: readonly ModelCall[]): ScriptPart[] => [{ type: "calls", calls }];

export const call = (id: string, name: string, input: unknown = {}): ModelCall => ({
  id,
  name,
  arguments: JSON.stringify(input),
});

export const spend = (usage: Usage): ScriptPart => ({ type: "usage", usage });

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
