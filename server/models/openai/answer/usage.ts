import type { Usage } from "../../../../shared/contract/message.ts";
import { isRecord } from "../../../../shared/json-record.ts";
import { costOf, type Price } from "../../price.ts";

/**
 * The usage that an endpoint told, under the names of Chat Completions, of the Responses API, or (of cached tokens)
 * DeepSeek's; with its cost where the price is known. Undefined for what is no usage. What is no count counts as 0.
 */
export function usageOf(told: unknown, price: Price | undefined): Usage | undefined {
  if (!isRecord(told)) return undefined;
  const prompt = count(told["prompt_tokens"]) || count(told["input_tokens"]);
  const completion = count(told["completion_tokens"]) || count(told["output_tokens"]);
  const total = count(told["total_tokens"]) || prompt + completion;
  if (price === undefined) return { prompt, completion, total };
  return { prompt, completion, total, cost: costOf({ prompt, completion, cached: cachedIn(told) }, price) };
}

function cachedIn(told: Readonly<Record<string, unknown>>): number {
  const details = told["prompt_tokens_details"] ?? told["input_tokens_details"];
  return (isRecord(details) ? count(details["cached_tokens"]) : 0) || count(told["prompt_cache_hit_tokens"]);
}

const count = (value: unknown): number => (typeof value === "number" && value > 0 ? value : 0);
