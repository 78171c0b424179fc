import OpenAI from "openai";
import type { OpenAiModel } from "../../../shared/contract/definition.ts";
import { modelError } from "../../../shared/errors.ts";

const OPENAI_URL = "https://api.openai.com/v1";

/** A model and where it is asked, in the parts that may be shown: no user name, no password and no query of the address. */
export interface Endpoint {
  readonly model: string;
  /** Host, and port where it is not the scheme's own. */
  readonly host: string;
  readonly baseUrl: string;
  /** `MODEL at HOST`. */
  readonly label: string;
}

export function endpointOf(definition: OpenAiModel): Endpoint {
  const { host, origin, pathname } = addressOf(definition);
  return {
    model: definition.model,
    host,
    baseUrl: `${origin}${pathname}`.replace(/\/+$/, ""),
    label: `${definition.model} at ${host}`,
  };
}

/**
 * A client that holds no key: each request brings its own. Nothing of the SDK's environment variables but the
 * organization and project that belong to OpenAI's own endpoint reaches a request: a key or an address that lies about
 * there must not go where the team file did not say.
 */
export function clientFor(definition: OpenAiModel, endpoint: Endpoint): OpenAI {
  const query = Object.fromEntries(addressOf(definition).searchParams);
  const elsewhere = definition.baseUrl === undefined ? {} : { organization: null, project: null };
  return new OpenAI({
    ...elsewhere,
    baseURL: endpoint.baseUrl,
    defaultQuery: query,
    // The SDK refuses to be made without a key; this one is taken out of every request again by the null header.
    apiKey: "none",
    adminAPIKey: null,
    webhookSecret: null,
    defaultHeaders: { Authorization: null },
    // Its own retries can not be seen, and its logger writes the endpoint's text to the console.
    maxRetries: 0,
    logLevel: "off",
  });
}

/** @throws GavelError of code ModelError when the address carries a user name or password, which `fetch` would refuse with a text that repeats them. */
export function assertNoCredentials(definition: OpenAiModel, endpoint: Endpoint): void {
  const { username, password } = addressOf(definition);
  if (username === "" && password === "") return;
  throw modelError(
    `The baseUrl of ${endpoint.label} carries a user name or password; take it out and give the model an \`apiKey\`.`,
    { retryable: false, mend: "teamFile", model: endpoint.model, baseUrl: endpoint.baseUrl },
  );
}

const addressOf = (definition: OpenAiModel): URL => new URL(definition.baseUrl ?? OPENAI_URL);
