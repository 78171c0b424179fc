import type { AnthropicModel } from "../../shared/contract/definition.ts";
import { LIMITS } from "../../shared/limits.ts";

/** What a model costs, in US dollars per million tokens. */
export type Price = NonNullable<AnthropicModel["price"]>;

/** The tokens of one answer. Of the `prompt` tokens, `cached` were read from the endpoint's cache and `written` to it. */
export interface Tokens {
  readonly prompt: number;
  readonly completion: number;
  readonly cached: number;
  readonly written?: number;
}

/** What an answer cost in US dollars, unrounded, up to a limit that no answer reaches. */
export function costOf({ prompt, completion, cached, written = 0 }: Tokens, price: Price): number {
  // Some endpoints count cached tokens in addition to the prompt's instead of among them.
  const fromCache = Math.min(cached, prompt);
  const cachedPrice = price.cachedPrompt ?? price.prompt;
  const toCache = Math.min(written, prompt - fromCache);
  const writePrice = price.cacheWrite ?? price.prompt;
  const millionths =
    (prompt - fromCache - toCache) * price.prompt +
    fromCache * cachedPrice +
    toCache * writePrice +
    completion * price.completion;
  return Math.min(millionths / 1_000_000, LIMITS.answer.cost);
}
