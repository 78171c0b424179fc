import type { OpenAiModel } from "../../../shared/contract/definition.ts";
import type { Model, ModelPart, ModelRequest, ModelRetry } from "../../engine/model.ts";
import type { Clock } from "../clock.ts";

/** A complete answer and the retries that were announced. */
interface CollectedAnswer {
  readonly parts: readonly ModelPart[];
  readonly text: string;
  readonly retries: readonly ModelRetry[];
}

export const sampleRequest: ModelRequest = {
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

/** A key store without keys. */
export const noKeys = { get: async () => null };

/** Asks the model and reads its answer to the end. */
export async function collect(
  model: Model,
  request: ModelRequest = sampleRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<CollectedAnswer> {
  const parts: ModelPart[] = [];
  const retries: ModelRetry[] = [];
  for await (const part of model.stream(request, { signal, onRetry: (retry) => retries.push(retry) })) parts.push(part);
  return { parts, text: textOfParts(parts), retries };
}

export const textOfParts = (parts: readonly ModelPart[]): string =>
  parts.map((part) => (part.type === "text" ? part.delta : "")).join("");

/** A clock whose time never changes and that never waits; `waits` are the requested waits in milliseconds. */
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
