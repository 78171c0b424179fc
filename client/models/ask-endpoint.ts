import { commands } from "vscode";
import type { ModelDefinition } from "../../shared/contract/definition.ts";
import { askSteps, BACK, pickStep, type StepAnswer, type StepPlace, textStep } from "../dialogs/steps.ts";
import { addressProblem, keyProblem, secretNameFor } from "./endpoint-address.ts";

/** Where keys are stored, by name. */
export interface KeyStore {
  readonly names: readonly string[];
  set(name: string, value: string): Promise<void>;
}

const title = "Connect a Model";

/** The providers with an endpoint of their own: the name of the key, what a key looks like, and a model. */
const OWN_ENDPOINTS = {
  openai: { label: "OpenAI", secret: "openai", key: "sk-…", model: "gpt-5" },
  anthropic: { label: "Anthropic", secret: "ANTHROPIC_API_KEY", key: "sk-ant-…", model: "claude-sonnet-5-5" },
  gemini: { label: "Gemini", secret: "GEMINI_API_KEY", key: "AIza…", model: "gemini-3.8-flash" },
} as const;
type OwnEndpoint = keyof typeof OWN_ENDPOINTS;

/** What the user has answered so far. */
interface Answers {
  provider: OwnEndpoint | "compatible" | "azure";
  baseUrl: string;
  /** Empty where none is needed, or the stored one is kept. */
  key: string;
  model: string;
}

/** A key is never offered for another endpoint than the one for which it was entered: what the box holds is hidden. */
const OF_ANOTHER_ENDPOINT: Pick<Answers, "key" | "model"> = { key: "", model: "" };

/**
 * Asks for a model behind an endpoint: which, its address, its key, which goes to VS Code's secret storage, and its name. An
 * Azure deployment, which has more to it, is written in the settings. Undefined if the user went no further.
 */
export async function askEndpoint(
  keys: KeyStore,
): Promise<{ readonly model: ModelDefinition; readonly name: string } | undefined> {
  const answers: Answers = { provider: "openai", baseUrl: "http://127.0.0.1:8000/v1", key: "", model: "" };
  const secret = (): string => ownEndpoint(answers)?.secret ?? secretNameFor(answers.baseUrl);
  const done = await askSteps(() => {
    const provider = (place: StepPlace) => askProvider(answers, place);
    const key = (place: StepPlace) => askKey(answers, keys.names.includes(secret()), place);
    const model = (place: StepPlace) => askName(answers, place);
    if (answers.provider === "azure") return [provider];
    if (ownEndpoint(answers) !== undefined) return [provider, key, model];
    return [provider, (place) => askAddress(answers, place), key, model];
  });
  if (!done) return undefined;
  if (answers.provider === "azure") {
    await commands.executeCommand("workbench.action.openSettings", "gavel.model");
    return undefined;
  }
  const { key, model, baseUrl, provider } = answers;
  if (key !== "") await keys.set(secret(), key);
  const hasKey = key !== "" || keys.names.includes(secret());
  const apiKey = hasKey ? { apiKey: { secret: secret() } } : {};
  return {
    name: model,
    model:
      provider === "compatible" ? { provider: "openai", model, baseUrl, ...apiKey } : { provider, model, ...apiKey },
  };
}

/** The provider that was chosen, if it has an endpoint of its own. */
const ownEndpoint = ({ provider }: Answers): (typeof OWN_ENDPOINTS)[OwnEndpoint] | undefined =>
  provider === "compatible" || provider === "azure" ? undefined : OWN_ENDPOINTS[provider];

async function askProvider(answers: Answers, place: StepPlace): Promise<StepAnswer<true>> {
  const answer = await pickStep({
    title,
    ...place,
    placeholder: "Where is the model?",
    items: [
      ...(["openai", "anthropic", "gemini"] as const).map((provider) => ({
        label: OWN_ENDPOINTS[provider].label,
        detail: "With an API key of your account.",
        provider,
      })),
      {
        label: "OpenAI-Compatible Endpoint",
        detail: "By its address, such as OpenRouter, vLLM, llama.cpp or a gateway of your company.",
        provider: "compatible" as const,
      },
      { label: "Azure OpenAI", detail: "In the settings, which have an example.", provider: "azure" as const },
    ],
  });
  if (answer === undefined || answer === BACK) return answer;
  if (answer.provider !== answers.provider) Object.assign(answers, OF_ANOTHER_ENDPOINT);
  answers.provider = answer.provider;
  return true;
}

async function askAddress(answers: Answers, place: StepPlace): Promise<StepAnswer<true>> {
  const answer = await textStep({
    title,
    ...place,
    prompt: "The address of the endpoint, up to the part before /chat/completions",
    value: answers.baseUrl,
    problemOf: addressProblem,
  });
  if (answer === undefined || answer === BACK) return answer;
  if (answer.trim() !== answers.baseUrl) Object.assign(answers, OF_ANOTHER_ENDPOINT);
  answers.baseUrl = answer.trim();
  return true;
}

async function askKey(answers: Answers, isStored: boolean, place: StepPlace): Promise<StepAnswer<true>> {
  const mayBeEmpty = isStored || answers.provider === "compatible";
  const answer = await textStep({
    title,
    ...place,
    prompt: "The API key. It is kept in VS Code's secret storage and sent only to this endpoint, once you allow it.",
    placeholder: isStored
      ? "Leave empty to keep the stored key"
      : mayBeEmpty
        ? "Leave empty if it needs none"
        : (ownEndpoint(answers)?.key ?? ""),
    value: answers.key,
    password: true,
    problemOf: (text) => (text.trim() === "" && mayBeEmpty ? undefined : keyProblem(text)),
  });
  if (answer === undefined || answer === BACK) return answer;
  answers.key = answer.trim();
  return true;
}

async function askName(answers: Answers, place: StepPlace): Promise<StepAnswer<true>> {
  const answer = await textStep({
    title,
    ...place,
    prompt: "The name of the model, as the endpoint knows it",
    placeholder: ownEndpoint(answers)?.model ?? "qwen3",
    value: answers.model,
    problemOf: (text) => (text.trim() === "" ? "Enter the name of the model." : undefined),
  });
  if (answer === undefined || answer === BACK) return answer;
  answers.model = answer.trim();
  return true;
}
