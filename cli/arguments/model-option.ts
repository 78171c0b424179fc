import { ModelDefinition } from "../../shared/contract/definition.ts";
import { messageOf } from "../../shared/contract/errors.ts";
import { parseJson } from "../../shared/parse-json.ts";
import { UsageError } from "./usage-error.ts";

const FORMS = "write PROVIDER:MODEL, PROVIDER:MODEL@URL, a key of the team file's models, or the JSON of a model";

/**
 * A model as the user writes it: `openai:gpt-5`, `openai:llama3@http://localhost:11434/v1` (which is called without a key),
 * or the JSON of one of a team file's `models`.
 * @returns undefined for a word that can only be a key of the team file's models. @throws UsageError
 */
export function modelIn(text: string): ModelDefinition | undefined {
  const value = text.startsWith("{") ? jsonIn(text) : shortForm(text);
  if (value === undefined) return undefined;
  const parsed = ModelDefinition.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError(`--model ${text} is no model; ${FORMS}.`);
}

function shortForm(text: string): unknown {
  if (text === "practice") return { provider: "practice" };
  const [, provider, model, baseUrl] = /^([a-z]+):([^@]+)(?:@(.+))?$/.exec(text) ?? [];
  if (provider === undefined) return undefined;
  return { provider, model, ...(baseUrl === undefined ? { apiKey: { secret: provider } } : { baseUrl }) };
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new UsageError(`--model is no JSON: ${messageOf(error)}; ${FORMS}.`);
  }
}
