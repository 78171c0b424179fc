import type { OpenAiModel } from "../../../shared/contract/definition.ts";
import type { Model, ModelPart, ModelRequest, ModelRetry } from "../../engine/model.ts";
import type { Clock } from "../clock.ts";

/** What a model told, and the waits that it announced. */
interface Told {
  readonly parts: readonly ModelPart[];
  readonly text: string;
  readonly retries: readonly ModelRetry[];
}

export const question: ModelRequest = {
  participant: "writer",
  instructions: "Write.",
  items: [{ role: "user", source: "user", content: "hello" }],
  tools: [],
};

export const definitionAt = (baseUrl: string, more: Partial<OpenAiModel> = {}): OpenAiModel => ({
  provider: "openai",
  model: "gpt-test",
  baseUrl,
  ...more,
});

/** No keys at all. */
export const noKeys = { get: async () => null };

/** Asks the model and reads its answer to the end. */
export async function collect(
  model: Model,
  request: ModelRequest = question,
  signal: AbortSignal = new AbortController().signal,
): Promise<Told> {
  const parts: ModelPart[] = [];
  const retries: ModelRetry[] = [];
  for await (const part of model.stream(request, { signal, onRetry: (retry) => retries.push(retry) })) parts.push(part);
  return { parts, text: textOf(parts), retries };
}

export const textOf = (parts: readonly ModelPart[]): string =>
  parts.map((part) => (part.type === "text" ? part.delta : "")).join("");

/** A clock that stands still and waits for nothing; `waits` are the waits that were asked of it. */
export function stillClock(now = 0): Clock & { readonly waits: readonly number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    async wait(ms) {
      waits.push(ms);
    },
  };
}
