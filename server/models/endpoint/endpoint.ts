import type { AzureModel } from "../../../shared/contract/definition.ts";
import { modelError } from "../../../shared/contract/errors.ts";
import { type EndpointModel, modelName } from "./endpoint-model.ts";

/** Where each provider's own endpoint is. */
const OWN_URL = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com",
  gemini: "https://generativelanguage.googleapis.com",
} as const;

/** What an endpoint of each provider is, after "that of". */
const KINDS = {
  openai: "an OpenAI-compatible endpoint",
  azure: "an Azure OpenAI resource",
  anthropic: "Anthropic's API",
  gemini: "the Gemini API",
} as const;

/** The latest dated version of Azure's API that is not a preview. It has no Responses API; the undated `v1` has. */
const AZURE_CHAT_VERSION = "2024-10-21";

/** A model and its endpoint, in the parts that may be shown: no user name, password or query of the address. */
export interface Endpoint {
  readonly model: string;
  /** Host, and port where it is not the scheme's default. */
  readonly host: string;
  /** Without the port. */
  readonly hostname: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly baseUrl: string;
  /** `MODEL at HOST`. */
  readonly label: string;
  /** Sent with each request, and not shown. */
  readonly query: Readonly<Record<string, string>>;
  /** The team file's keys for the address and the model, and what is expected at the address. */
  readonly terms: { readonly address: string; readonly model: string; readonly kind: string };
}

export function endpointOf(definition: EndpointModel): Endpoint {
  const address = addressOf(definition);
  const { host, hostname, origin, pathname } = address;
  const { provider } = definition;
  const isAzure = provider === "azure";
  const { path, version } = isAzure ? azureRoute(definition) : { path: "", version: undefined };
  const model = modelName(definition);
  return {
    model,
    host,
    hostname,
    origin,
    baseUrl: `${origin}${pathname}`.replace(/(?<!\/)\/+$/, "") + path,
    label: `${model} at ${host}`,
    query: {
      ...Object.fromEntries(address.searchParams),
      ...(version === undefined ? {} : { "api-version": version }),
    },
    terms: {
      ...(isAzure ? { address: "endpoint", model: "deployment" } : { address: "baseUrl", model: "model" }),
      kind: KINDS[provider],
    },
  };
}

/** Where requests of an API are sent; `path` is that of the API below the endpoint's base URL. */
export function requestAddress({ baseUrl, query }: Endpoint, path: string): URL {
  const address = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address;
}

/**
 * The path and version of a deployment below its resource. With a dated version, Chat Completions has a path for each
 * deployment and the Responses API names it in the body; the undated `v1` names it in the body for both, and only its
 * preview needs a version (Azure OpenAI, "API version lifecycle").
 */
function azureRoute({ deployment, api, apiVersion }: AzureModel): { path: string; version: string | undefined } {
  const isResponses = api === "responses";
  if (apiVersion === "v1" || (isResponses && apiVersion === undefined))
    return { path: "/openai/v1", version: undefined };
  if (apiVersion === "preview") return { path: "/openai/v1", version: apiVersion };
  const version = apiVersion ?? AZURE_CHAT_VERSION;
  return isResponses
    ? { path: "/openai", version }
    : { path: `/openai/deployments/${encodeURIComponent(deployment)}`, version };
}

/**
 * @throws GavelError of code ModelError when the address has a user name or password: `fetch` would repeat them in its
 * error.
 */
export function assertNoCredentials(definition: EndpointModel, { label, model, baseUrl, terms }: Endpoint): void {
  const { username, password } = addressOf(definition);
  if (username === "" && password === "") return;
  throw modelError(
    `The ${terms.address} of ${label} contains a user name or password; remove it and give the model an \`apiKey\`.`,
    { retryable: false, fix: "teamFile", model, baseUrl },
  );
}

function addressOf(definition: EndpointModel): URL {
  const { provider } = definition;
  return new URL(provider === "azure" ? definition.endpoint : (definition.baseUrl ?? OWN_URL[provider]));
}
