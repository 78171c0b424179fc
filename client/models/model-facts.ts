import type { ModelFacts } from "../../shared/contract/model-choice.ts";
import { isLoopback } from "../../shared/loopback.ts";

/** Who runs the models of a provider that names no endpoint. */
const OWNERS: ReadonlyMap<string, string> = new Map([
  ["openai", "OpenAI"],
  ["anthropic", "Anthropic"],
  ["gemini", "Google"],
]);

/** What is known of a model, for the second line of its row: how much it reads, what it costs, and where it runs. */
export const factsText = (facts: ModelFacts): string =>
  [contextText(facts.contextWindow), priceText(facts.price), placeText(facts)]
    .filter((part) => part !== undefined)
    .join(" · ");

const contextText = (tokens: number | undefined): string | undefined =>
  tokens === undefined ? undefined : `${tokens.toLocaleString("en-US")} tokens of context`;

function priceText(price: ModelFacts["price"]): string | undefined {
  if (price === undefined) return undefined;
  if (price.prompt === 0 && price.completion === 0) return "free of charge";
  return `${dollars(price.prompt)} in, ${dollars(price.completion)} out per million tokens`;
}

const dollars = (amount: number): string =>
  `$${amount.toLocaleString("en-US", { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: 6 })}`;

function placeText({ provider, origin, vendor }: ModelFacts): string | undefined {
  if (provider === "vscode") return vendor === undefined ? "through VS Code" : `through VS Code, by ${vendor}`;
  if (origin === undefined) {
    const owner = OWNERS.get(provider);
    return owner === undefined ? undefined : `at ${owner}`;
  }
  const url = URL.parse(origin);
  if (url === null) return `at ${origin}`;
  return isLoopback(url.hostname) ? `on this computer, at ${url.host}` : `at ${url.host}`;
}
