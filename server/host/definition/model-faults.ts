import type { JsonRecord } from "../../../shared/json-record.ts";
import type { Fault } from "./fault.ts";
import { recordOf } from "./raw.ts";

/** Figures of the models of a team that can not be right together. */
export function modelSettingsFaults(models: JsonRecord): Fault[] {
  return Object.entries(models).flatMap(([name, model]) => {
    const { maxTokens, contextWindow, price } = recordOf(model);
    const { prompt, cachedPrompt } = recordOf(price);
    const faults: Fault[] = [];
    if (typeof maxTokens === "number" && typeof contextWindow === "number" && maxTokens >= contextWindow) {
      const message = `leaves nothing of the contextWindow of ${contextWindow} for what the model is shown`;
      faults.push({ path: ["models", name, "maxTokens"], message });
    }
    if (typeof prompt === "number" && typeof cachedPrompt === "number" && cachedPrompt > prompt) {
      const message = `should be no more than ${prompt}, the price of a prompt that was not cached`;
      faults.push({ path: ["models", name, "price", "cachedPrompt"], message });
    }
    return faults;
  });
}
