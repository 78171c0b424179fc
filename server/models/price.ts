import type { OpenAiModel } from "../../shared/contract/definition.ts";
import { LIMITS } from "../../shared/limits.ts";

/** What a model costs, in US dollars per million tokens. */
export type Price = NonNullable<OpenAiModel["price"]>;

/** The tokens of one answer. `cached` of the `prompt` tokens were read from the endpoint's cache. */
export interface Tokens {
  readonly prompt: number;
  readonly completion: number;
  readonly cached: number;
}

/** What an answer cost in US dollars, unrounded, up to a limit that no answer reaches. */
export function costOf({ prompt, completion, cached }: Tokens, price: Price): number {
  // Some endpoints count cached tokens in addition to the prompt's instead of among them.
  const fromCache = Math.min(cached, prompt);
  const cachedPrice = price.cachedPrompt ?? price.prompt;
  const millionths = (prompt - fromCache) * price.prompt + fromCache * cachedPrice + completion * price.completion;
  return Math.min(millionths / 1_000_000, LIMITS.answer.cost);
}
