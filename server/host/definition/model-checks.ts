import type { JsonRecord } from "../../../shared/json-record.ts";
import { asRecord } from "./unchecked-json.ts";
import type { ValidationProblem } from "./validation-problem.ts";

/** Checks numbers in model settings that contradict each other. */
export function checkModelSettings(models: JsonRecord): ValidationProblem[] {
  return Object.entries(models).flatMap(([name, model]) => {
    const { maxTokens, contextWindow, price } = asRecord(model);
    const { prompt, cachedPrompt } = asRecord(price);
    const problems: ValidationProblem[] = [];
    if (typeof maxTokens === "number" && typeof contextWindow === "number" && maxTokens >= contextWindow) {
      const message = `should be less than ${contextWindow}, the contextWindow of this model`;
      problems.push({ path: ["models", name, "maxTokens"], message });
    }
    if (typeof prompt === "number" && typeof cachedPrompt === "number" && cachedPrompt > prompt) {
      const message = `should be no more than ${prompt}, the price of an uncached prompt`;
      problems.push({ path: ["models", name, "price", "cachedPrompt"], message });
    }
    return problems;
  });
}
