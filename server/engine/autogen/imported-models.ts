import type { AzureModel, ModelDefinition, OpenAiModel } from "../../../shared/contract/definition.ts";
import {
  type AutoGenComponent,
  type ComponentConfig,
  type ImportReport,
  withoutUndefined,
} from "./autogen-component.ts";

/** The endpoints that AutoGen's OpenAI client uses for models with these prefixes, and the names of their secrets. */
const KNOWN_ENDPOINTS = [
  { prefix: "gemini-", baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai/", secret: "gemini" },
  { prefix: "claude-", baseUrl: "https://api.anthropic.com/v1/", secret: "anthropic" },
  { prefix: "Llama-", baseUrl: "https://api.llama.com/compat/v1/", secret: "llama" },
];

/** Ollama's default host. */
const OLLAMA = "http://localhost:11434";

/** The highest number that Gavel allows. */
const MAX_RETRIES = 10;

const NOT_SENT = "requests are sent without it";

/** The models of a team and its nested teams. Equal clients become one model, named after the model or deployment. */
export class ImportedModels {
  readonly #report: ImportReport;
  readonly #byKey = new Map<string, ModelDefinition>();

  constructor(report: ImportReport) {
    this.#report = report;
  }

  get definitions(): Record<string, ModelDefinition> | undefined {
    return this.#byKey.size === 0 ? undefined : Object.fromEntries(this.#byKey);
  }

  /** The key of the model for a client; undefined when there is no counterpart, which is reported. */
  keyOf(client: AutoGenComponent | undefined): string | undefined {
    if (client === undefined) return undefined;
    const model = this.#read(client);
    if (model === undefined) return undefined;
    const name = model.provider === "azure" ? model.deployment : model.model;
    for (let count = 1; ; count++) {
      const key = count === 1 ? name : `${name}-${count}`;
      const known = this.#byKey.get(key);
      if (known === undefined) this.#byKey.set(key, model);
      if (known === undefined || JSON.stringify(known) === JSON.stringify(model)) return key;
    }
  }

  #read(client: AutoGenComponent): OpenAiModel | AzureModel | undefined {
    switch (client.className) {
      case "OpenAIChatCompletionClient":
        return this.#openAi(client.config);
      case "AzureOpenAIChatCompletionClient":
        return this.#azure(client.config);
      case "OllamaChatCompletionClient":
        return this.#ollama(client.config);
      default:
        this.#report.omit(
          client.path,
          `there is no counterpart for ${client.className}; agents that used it get models.default, the team's only model, or the model of the setting gavel.model`,
        );
        return undefined;
    }
  }

  #openAi(config: ComponentConfig): OpenAiModel | undefined {
    const model = config.requiredText("model");
    const given = config.text("base_url");
    if (model === undefined) return undefined;
    const known = given === undefined ? KNOWN_ENDPOINTS.find(({ prefix }) => model.startsWith(prefix)) : undefined;
    const read: OpenAiModel = withoutUndefined({
      provider: "openai",
      model,
      baseUrl: given ?? known?.baseUrl,
      apiKey: this.#key(config, known?.secret) ?? (known && { secret: known.secret }),
      ...this.#common(config),
    });
    config.omitUnused(NOT_SENT_KEYS);
    return read;
  }

  #azure(config: ComponentConfig): AzureModel | undefined {
    const endpoint = config.requiredText("azure_endpoint");
    const model = config.requiredText("model");
    const deployment = config.text("azure_deployment") ?? model;
    if (endpoint === undefined || deployment === undefined) return undefined;
    const read: AzureModel = withoutUndefined({
      provider: "azure",
      endpoint,
      deployment,
      apiVersion: config.text("api_version"),
      apiKey: this.#key(config),
      ...this.#common(config),
    });
    const byKey = "a deployment is called with an API key here";
    config.omitUnused({ ...NOT_SENT_KEYS, azure_ad_token: byKey, azure_ad_token_provider: byKey });
    return read;
  }

  #ollama(config: ComponentConfig): OpenAiModel | undefined {
    const model = config.requiredText("model");
    const host = config.text("host") ?? OLLAMA;
    const options = config.map("options");
    if (model === undefined) return undefined;
    const taken: Record<string, number> = {};
    for (const [option, { value, path }] of Object.entries(options)) {
      const key = OLLAMA_OPTIONS.get(option);
      if (key !== undefined && typeof value === "number") taken[key] = value;
      else if (value !== null) this.#report.omit(path, NOT_SENT);
    }
    config.ignore("follow_redirects");
    config.omitUnused(NOT_SENT_KEYS);
    return { provider: "openai", model, baseUrl: `${withProtocol(host).replace(/(?<!\/)\/+$/, "")}/v1`, ...taken };
  }

  #common(config: ComponentConfig) {
    const maxRetries = config.number("max_retries");
    if (maxRetries !== undefined && maxRetries > MAX_RETRIES) {
      this.#report.omit(config.pathOf("max_retries"), `a request is retried at most ${MAX_RETRIES} times`);
    }
    const effort = config.text("reasoning_effort") as ReasoningEffort | undefined;
    return {
      temperature: config.number("temperature"),
      maxTokens: config.number("max_tokens"),
      maxRetries: maxRetries === undefined ? undefined : Math.min(maxRetries, MAX_RETRIES),
      addNamePrefixes: config.boolean("add_name_prefixes") || undefined,
      reasoning: effort && { effort },
    };
  }

  /** An API key is never imported: only its path is reported. */
  #key(config: ComponentConfig, secret = "openai"): { secret: string } | undefined {
    if (config.take("api_key") === undefined) return undefined;
    this.#report.omit(
      config.pathOf("api_key"),
      `a key does not belong in a file; store it under the name ${secret} with Gavel: Set API Key`,
    );
    return { secret };
  }
}

type ReasoningEffort = NonNullable<NonNullable<OpenAiModel["reasoning"]>["effort"]>;

const OLLAMA_OPTIONS: ReadonlyMap<string, string> = new Map([
  ["temperature", "temperature"],
  ["num_predict", "maxTokens"],
  ["num_ctx", "contextWindow"],
]);

const NOT_SENT_KEYS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      "default_headers",
      "frequency_penalty",
      "headers",
      "logit_bias",
      "n",
      "organization",
      "parallel_tool_calls",
      "presence_penalty",
      "response_format",
      "seed",
      "stop",
      "stream_options",
      "top_p",
      "user",
    ].map((key) => [key, NOT_SENT]),
  ),
  model_info: "every model is assumed to support what a request asks for",
  model_capabilities: "every model is assumed to support what a request asks for",
  include_name_in_message: "names are sent; set addNamePrefixes for a model that ignores them",
  timeout: "a request may take as long as the run",
};

const withProtocol = (host: string): string => (/^https?:\/\//.test(host) ? host : `http://${host}`);
