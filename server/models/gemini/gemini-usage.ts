import type { Usage } from "../../../shared/contract/message.ts";
import { isRecord } from "../../../shared/json-record.ts";
import { tokenCount } from "../answer/usage.ts";
import { costOf, type Price } from "../price.ts";

/**
 * The usage that the Gemini API reported with the last chunk; undefined if none was. Tokens that were read from the cache
 * are among those of the prompt, and thoughts are billed as what the model writes.
 */
export function geminiUsage(reported: unknown, price: Price | undefined): Usage | undefined {
  if (!isRecord(reported)) return undefined;
  const count = (name: string): number => tokenCount(reported[name]);
  const prompt = count("promptTokenCount") + count("toolUsePromptTokenCount");
  const completion = count("candidatesTokenCount") + count("thoughtsTokenCount");
  const usage = { prompt, completion, total: prompt + completion };
  if (price === undefined) return usage;
  return { ...usage, cost: costOf({ prompt, completion, cached: count("cachedContentTokenCount") }, price) };
}
