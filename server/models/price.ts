import type { OpenAiModel } from "../../shared/contract/definition.ts";

/** What a model costs, in US dollars per million tokens. */
export type Price = NonNullable<OpenAiModel["price"]>;

/** The tokens of one answer. `cached` of the `prompt` tokens were read from the endpoint's cache. */
export interface Tokens {
  readonly prompt: number;
  readonly completion: number;
  readonly cached: number;
}

/** What an answer cost in US dollars, unrounded. */
export function costOf({ prompt, completion, cached }: Tokens, price: Price): number {
  // Some endpoints count cached tokens in addition to the prompt's instead of among them.
  const fromCache = Math.min(cached, prompt);
  const cachedPrice = price.cachedPrompt ?? price.prompt;
  return ((prompt - fromCache) * price.prompt + fromCache * cachedPrice + completion * price.completion) / 1_000_000;
}
