import type { OpenAI } from "openai";
import type { OpenAiSdk } from "../api.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EndpointModel } from "./endpoint-model.ts";
import { fetchWithinOrigin } from "./fetch-within-origin.ts";
import type { Key } from "./key.ts";

/**
 * A client without a key: each request brings its own. Of the SDK's environment variables, only the organization and project
 * are used, and only for OpenAI's own endpoint: a key or address in the environment must not be sent anywhere that the
 * team file does not name.
 */
export function clientFor(sdk: OpenAiSdk, definition: EndpointModel, { baseUrl, query }: Endpoint): OpenAI {
  const isOpenAi = definition.provider === "openai" && definition.baseUrl === undefined;
  return new sdk.OpenAI({
    ...(isOpenAi ? {} : { organization: null, project: null }),
    baseURL: baseUrl,
    fetch: fetchWithinOrigin,
    defaultQuery: { ...query },
    // The SDK requires a key; the null header removes this one from every request.
    apiKey: "none",
    adminAPIKey: null,
    webhookSecret: null,
    defaultHeaders: { ...withoutCustomHeaders(), Authorization: null },
    // The SDK's own retries are not observable, and its logger writes the endpoint's text to the console.
    maxRetries: 0,
    logLevel: "off",
  });
}

/** The header that carries the key. */
export function keyHeaders({ provider }: EndpointModel, { value }: Key): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  return provider === "azure" ? { "api-key": value } : { Authorization: `Bearer ${value}` };
}

/** Removes the headers that the SDK adds from the environment's OPENAI_CUSTOM_HEADERS. */
function withoutCustomHeaders(): Readonly<Record<string, null>> {
  const lines = (process.env["OPENAI_CUSTOM_HEADERS"] ?? "").split("\n").filter((line) => line.includes(":"));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(":")).trim(), null]));
}
