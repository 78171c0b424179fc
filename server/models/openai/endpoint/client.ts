import OpenAI from "openai";
import type { Endpoint } from "./endpoint.ts";
import type { EndpointModel } from "./endpoint-model.ts";
import type { Key } from "./key.ts";

/**
 * A client that holds no key: each request brings its own. Nothing of the SDK's environment variables but the
 * organization and project that belong to OpenAI's own endpoint reaches a request: a key or an address that lies about
 * there must not go where the team file did not say.
 */
export function clientFor(definition: EndpointModel, { baseUrl, query }: Endpoint): OpenAI {
  const isOpenAi = definition.provider === "openai" && definition.baseUrl === undefined;
  return new OpenAI({
    ...(isOpenAi ? {} : { organization: null, project: null }),
    baseURL: baseUrl,
    defaultQuery: { ...query },
    // The SDK refuses to be made without a key; this one is taken out of every request again by the null header.
    apiKey: "none",
    adminAPIKey: null,
    webhookSecret: null,
    defaultHeaders: { ...withoutStrayHeaders(), Authorization: null },
    // Its own retries can not be seen, and its logger writes the endpoint's text to the console.
    maxRetries: 0,
    logLevel: "off",
  });
}

/** The header that a key goes in. */
export function keyHeaders({ provider }: EndpointModel, { value }: Key): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  return provider === "azure" ? { "api-key": value } : { Authorization: `Bearer ${value}` };
}

/** Takes the headers of the environment's OPENAI_CUSTOM_HEADERS out again. */
function withoutStrayHeaders(): Readonly<Record<string, null>> {
  const lines = (process.env["OPENAI_CUSTOM_HEADERS"] ?? "").split("\n").filter((line) => line.includes(":"));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(":")).trim(), null]));
}
