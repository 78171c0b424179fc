import type { ModelDefinition, TeamDefinition } from "../../../shared/contract/definition.ts";
import { invalidDefinition, invalidParams } from "../../../shared/contract/errors.ts";
import type { ChosenModel } from "../../../shared/contract/model-choice.ts";
import type { JsonRecord } from "../../../shared/json-record.ts";
import { asList, asRecord } from "./unchecked-json.ts";
import { toProblem, type ValidationProblem } from "./validation-problem.ts";

/** Checks numbers in model settings that contradict each other. */
export function checkModelSettings(models: JsonRecord): ValidationProblem[] {
  return Object.entries(models).flatMap(([name, model]) => {
    const { provider, fallback, maxTokens, contextWindow, price, reasoning } = asRecord(model);
    const { effort, budgetTokens } = asRecord(reasoning);
    const { prompt, cachedPrompt } = asRecord(price);
    const problems: ValidationProblem[] = [];
    if (asList(fallback).includes(name)) {
      const message = "should name other models: this one is asked first anyway";
      problems.push({ path: ["models", name, "fallback"], message });
    }
    if (typeof maxTokens === "number" && typeof contextWindow === "number" && maxTokens >= contextWindow) {
      const message = `should be less than ${contextWindow}, the contextWindow of this model`;
      problems.push({ path: ["models", name, "maxTokens"], message });
    }
    if (typeof budgetTokens === "number" && provider === "gemini" && effort !== undefined) {
      const message = "should be left out with an effort; a model has one or the other";
      problems.push({ path: ["models", name, "reasoning", "budgetTokens"], message });
    }
    if (typeof budgetTokens === "number" && effort === "none") {
      const message = "should be left out with effort: none, which turns thinking off";
      problems.push({ path: ["models", name, "reasoning", "budgetTokens"], message });
    }
    if (typeof budgetTokens === "number" && typeof maxTokens === "number" && budgetTokens >= maxTokens) {
      const message = `should be less than ${maxTokens}, the maxTokens of this model, which include its thoughts`;
      problems.push({ path: ["models", name, "reasoning", "budgetTokens"], message });
    }
    if (typeof prompt === "number" && typeof cachedPrompt === "number" && cachedPrompt > prompt) {
      const message = `should be no more than ${prompt}, the price of an uncached prompt`;
      problems.push({ path: ["models", name, "price", "cachedPrompt"], message });
    }
    return problems;
  });
}

const hasCredentials = (address: string): boolean => {
  const { username = "", password = "" } = URL.parse(address) ?? {};
  return username !== "" || password !== "";
};

const CREDENTIALS = "must not have a user name or password; use apiKey";

/** @throws GavelError `InvalidDefinition` for a model with a name or password in its address. */
export function assertNoCredentials(definition: TeamDefinition): void {
  const paths = addressesWithCredentials(definition, "");
  if (paths.length > 0)
    throw invalidDefinition(
      `The team "${definition.name}"`,
      paths.map((path) => ({ path, message: CREDENTIALS })),
    );
}

const addressesWithCredentials = ({ models = {}, participants }: TeamDefinition, above: string): string[] => [
  ...Object.entries(models).flatMap(([name, model]) => {
    const key = addressKey(model);
    const address = asRecord(model)[key];
    return typeof address === "string" && hasCredentials(address) ? [`${above}models.${name}.${key}`] : [];
  }),
  ...participants.flatMap(({ team, url = "" }, at) => [
    ...(hasCredentials(url) ? [`${above}participants[${at}].url`] : []),
    ...(team === undefined ? [] : addressesWithCredentials(team, `${above}participants[${at}].team.`)),
  ]),
];

const addressKey = ({ provider }: ModelDefinition): "endpoint" | "baseUrl" =>
  provider === "azure" ? "endpoint" : "baseUrl";

/**
 * @throws GavelError `InvalidParams` for a chosen model whose numbers contradict each other, or whose address has a name or
 * password.
 */
export function assertModelSettings(model: ChosenModel | null): void {
  if (model === null || typeof model === "string") return;
  const problems = checkModelSettings({ model }).map(({ path, ...problem }) =>
    toProblem({ ...problem, path: path.slice(1) }),
  );
  const key = addressKey(model);
  const address = asRecord(model)[key];
  // Events are stored and shown, and no key is.
  if (typeof address === "string" && hasCredentials(address))
    problems.push({ path: `model.${key}`, message: CREDENTIALS });
  if (problems.length > 0) throw invalidParams("team/setModel", problems);
}
