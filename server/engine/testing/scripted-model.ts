import type { Usage } from "../../../shared/contract/message.ts";
import type { Model, ModelCall, ModelCallContext, ModelPart, ModelRequest } from "../model.ts";

/** One thing that a scripted answer does. */
export type ScriptPart =
  | ModelPart
  /** Goes on when `until` resolves, or ends with the signal. */
  | { readonly type: "wait"; readonly until: Promise<unknown> }
  /** Goes on when `until` resolves and not before, whatever the signal says: a model that does not listen. */
  | { readonly type: "hang"; readonly until: Promise<unknown> }
  | { readonly type: "throw"; readonly error: unknown }
  | { readonly type: "retry"; readonly attempt: number; readonly waitMs: number; readonly reason: string };

/** What a model does for one request. */
export type ScriptedAnswer = readonly ScriptPart[];

/** A model that plays one answer after another, then "done", and records what it was asked. */
export class ScriptedModel implements Model {
  readonly label = "scripted";
  readonly requests: ModelRequest[] = [];
  readonly #answers: ScriptedAnswer[];

  constructor(...answers: ScriptedAnswer[]) {
    this.#answers = answers;
  }

  /** What it was shown last. */
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

/** An answer in text, in these pieces. */
export const say = (...chunks: readonly string[]): ScriptPart[] => chunks.map((delta) => ({ type: "text", delta }));

/** An answer that asks for tools. */
export const ask = (...calls: readonly ModelCall[]): ScriptPart[] => [{ type: "calls", calls }];

export const call = (id: string, name: string, input: unknown = {}): ModelCall => ({
  id,
  name,
  arguments: JSON.stringify(input),
});

export const spend = (usage: Usage): ScriptPart => ({ type: "usage", usage });

/** Resolves with the abort. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
