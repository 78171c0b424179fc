import { modelError } from "../../../shared/contract/errors.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EndpointModel } from "./endpoint-model.ts";

/** Where keys come from. No key is cached: each request asks again. */
export interface KeySource {
  /**
   * The key stored under that name, or null when there is none, or when it may not be sent to that address: a team file
   * names both, and one from a hostile repository must not get a key sent to its own address. `agent` is the participant
   * that gets it, where that is no model.
   */
  get(secret: string, address: Pick<Endpoint, "host" | "origin"> & { readonly agent?: string }): Promise<string | null>;
  /** The environment's OPENAI_API_KEY. */
  readonly environment?: string | undefined;
}

/** The secrets used for a model without `apiKey`. The environment's OPENAI_API_KEY is used for OpenAI only. */
const DEFAULT_SECRET = {
  openai: "OPENAI_API_KEY",
  azure: "AZURE_OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  gemini: "GEMINI_API_KEY",
} as const;

/** Where a request's key comes from, and so where a refused one is corrected. */
export type KeyOrigin =
  | { readonly kind: "none" }
  | { readonly kind: "environment" }
  | { readonly kind: "secret"; readonly secret: string };

export interface Key {
  /** Undefined for an endpoint that is called without a key. */
  readonly value: string | undefined;
  readonly origin: KeyOrigin;
}

const noKey: Key = { value: undefined, origin: { kind: "none" } };

/**
 * The key for one request (TEAM-FILES.md, "Models"): that of `apiKey.secret`; none for a `baseUrl` alone; else, for
 * OpenAI, the environment's, else the one stored as OPENAI_API_KEY; for others the one stored as AZURE_OPENAI_API_KEY,
 * ANTHROPIC_API_KEY or GEMINI_API_KEY.
 *
 * @throws GavelError of code ModelError when a required key is missing or malformed.
 */
export async function keyFor(definition: EndpointModel, endpoint: Endpoint, keys: KeySource): Promise<Key> {
  const secret = secretOf(definition);
  if (secret === undefined) return noKey;
  if (definition.apiKey === undefined && definition.provider === "openai") {
    const environment = keys.environment?.trim() ?? "";
    if (environment !== "") return usable({ value: environment, origin: { kind: "environment" } }, endpoint);
  }
  const value = (await stored(secret, endpoint, keys))?.trim() ?? "";
  if (value === "") {
    throw modelError(
      `${endpoint.label} needs a key, and "${secret}" is not stored or may not be sent there; set the key, or name another in the team file.`,
      { retryable: false, fix: "apiKey", secret, model: endpoint.model, baseUrl: endpoint.baseUrl },
    );
  }
  return usable({ value, origin: { kind: "secret", secret } }, endpoint);
}

/** The name of the key for a model; undefined for an endpoint that is called without a key. */
export function secretOf({ provider, apiKey, ...where }: EndpointModel): string | undefined {
  if (apiKey === undefined && "baseUrl" in where && where.baseUrl !== undefined) return undefined;
  return apiKey?.secret ?? DEFAULT_SECRET[provider];
}

/** The error of a key store may contain a key, so its text is not passed on. */
async function stored(secret: string, endpoint: Endpoint, keys: KeySource): Promise<string | null> {
  try {
    return await keys.get(secret, endpoint);
  } catch {
    throw modelError(
      `The key "${secret}" for ${endpoint.label} could not be read from the key store; store it again.`,
      { retryable: true, fix: "apiKey", secret, model: endpoint.model, baseUrl: endpoint.baseUrl },
    );
  }
}

/**
 * For a key with characters that are not allowed in a header, `fetch` would throw an error that repeats it; so it is
 * refused here.
 */
function usable(key: Key, endpoint: Endpoint): Key {
  if (key.value === undefined || /^[\x21-\x7e]+$/.test(key.value)) return key;
  const at = { retryable: false, model: endpoint.model, baseUrl: endpoint.baseUrl } as const;
  const what = `for ${endpoint.label} contains spaces or characters that a key cannot have;`;
  throw key.origin.kind === "secret"
    ? modelError(`The key "${key.origin.secret}" ${what} store it again.`, {
        ...at,
        fix: "apiKey",
        secret: key.origin.secret,
      })
    : modelError(`The key in the ${DEFAULT_SECRET.openai} environment variable ${what} correct it there.`, at);
}
