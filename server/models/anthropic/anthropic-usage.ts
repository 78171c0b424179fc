import type { Usage } from "../../../shared/contract/message.ts";
import { isRecord } from "../../../shared/json-record.ts";
import { tokenCount } from "../answer/usage.ts";
import { costOf, type Price } from "../price.ts";

/** What Anthropic charges for tokens of the cache, in relation to those of the prompt ("Prompt caching", Pricing). */
const READ = 0.1;
const WRITE = 1.25;

/** The usage of an answer. It comes in several events, each with the totals so far of the counts that it has. */
export class AnthropicUsage {
  readonly #price: Price | undefined;
  #counts: Readonly<Record<string, unknown>> | undefined;

  constructor(price: Price | undefined) {
    this.#price = price;
  }

  add(reported: unknown): void {
    if (!isRecord(reported)) return;
    const known = Object.entries(reported).filter(([, count]) => typeof count === "number");
    this.#counts = { ...this.#counts, ...Object.fromEntries(known) };
  }

  /** Undefined if none was reported. Tokens that the cache was read or written for are among those of the prompt. */
  get total(): Usage | undefined {
    if (this.#counts === undefined) return undefined;
    const count = (name: string): number => tokenCount(this.#counts?.[name]);
    const cached = count("cache_read_input_tokens");
    const written = count("cache_creation_input_tokens");
    const prompt = count("input_tokens") + cached + written;
    const completion = count("output_tokens");
    const usage = { prompt, completion, total: prompt + completion };
    if (this.#price === undefined) return usage;
    const cachedPrompt = this.#price.cachedPrompt ?? this.#price.prompt * READ;
    const price = { ...this.#price, cachedPrompt, cacheWrite: this.#price.cacheWrite ?? this.#price.prompt * WRITE };
    return { ...usage, cost: costOf({ prompt, completion, cached, written }, price) };
  }
}
