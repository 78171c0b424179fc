import type { PromptResponse } from "@agentclientprotocol/sdk/unstable";
import { LIMITS } from "../../shared/limits.ts";
import type { Usage } from "../engine/index.ts";

/** What an agent says that a prompt took; undefined if it does not say it, or says nonsense. */
export function usageOf({ usage }: PromptResponse): Usage | undefined {
  if (!usage) return undefined;
  const { inputTokens, outputTokens, totalTokens, cachedReadTokens, cachedWriteTokens, thoughtTokens } = usage;
  const prompt = inputTokens + (cachedReadTokens ?? 0) + (cachedWriteTokens ?? 0);
  const completion = outputTokens + (thoughtTokens ?? 0);
  const total = Math.max(totalTokens, prompt + completion);
  const isSane = [prompt, completion, total].every((count) => count >= 0 && count <= LIMITS.answer.tokens);
  return isSane ? { prompt, completion, total } : undefined;
}

/** Both together. */
export function addedUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const cost = a.cost === undefined && b.cost === undefined ? {} : { cost: (a.cost ?? 0) + (b.cost ?? 0) };
  return { prompt: a.prompt + b.prompt, completion: a.completion + b.completion, total: a.total + b.total, ...cost };
}

/** The usage with what the session has cost more than `before`, in US dollars. */
export function withCost(usage: Usage | undefined, before: number, now: number | undefined): Usage | undefined {
  const cost = now === undefined ? 0 : now - before;
  if (!(cost > 0 && cost <= LIMITS.answer.cost)) return usage;
  return { ...(usage ?? { prompt: 0, completion: 0, total: 0 }), cost };
}
