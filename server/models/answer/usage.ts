import type { Usage } from "../../../shared/contract/message.ts";
import { isRecord } from "../../../shared/json-record.ts";
import { LIMITS } from "../../../shared/limits.ts";
import { costOf, type Price } from "../price.ts";

/**
 * The usage that an endpoint reported, under the names of Chat Completions, of the Responses API or, for cached tokens, of
 * DeepSeek; with its cost where the price is known. Undefined for anything but an object; a missing or absurd count is 0.
 */
export function reportedUsage(reported: unknown, price: Price | undefined): Usage | undefined {
  if (!isRecord(reported)) return undefined;
  const prompt = tokenCount(reported["prompt_tokens"]) || tokenCount(reported["input_tokens"]);
  const completion = tokenCount(reported["completion_tokens"]) || tokenCount(reported["output_tokens"]);
  const total = tokenCount(reported["total_tokens"]) || prompt + completion;
  if (price === undefined) return { prompt, completion, total };
  return { prompt, completion, total, cost: costOf({ prompt, completion, cached: cachedIn(reported) }, price) };
}

function cachedIn(reported: Readonly<Record<string, unknown>>): number {
  const details = reported["prompt_tokens_details"] ?? reported["input_tokens_details"];
  return (
    (isRecord(details) ? tokenCount(details["cached_tokens"]) : 0) || tokenCount(reported["prompt_cache_hit_tokens"])
  );
}

/** What cannot be a count of tokens is 0, as if it were not reported. */
export const tokenCount = (value: unknown): number =>
  typeof value === "number" && value > 0 && value <= LIMITS.answer.tokens ? Math.round(value) : 0;
