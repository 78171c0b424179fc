import { modelError } from "../../../shared/contract/errors.ts";
import { isLoopback } from "../../../shared/loopback.ts";
import type { Send } from "../network/network.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EndpointModel } from "./endpoint-model.ts";
import { type KeySource, secretOf } from "./key.ts";

/** What the user is asked before anything is sent to an endpoint. */
export interface EndpointQuestion {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly model: string;
  /** The name of the key that would be sent too. */
  readonly secret?: string;
  /** The participant that is there, where that is no model. */
  readonly agent?: string;
}

/** What a model may use: the user's keys, the endpoints that the user allows, and the way to them. */
export interface EndpointAccess extends KeySource {
  /** How requests are sent; directly if left out. */
  readonly send?: Send;
  /**
   * Whether the user allows the endpoint. Without this function, only OpenAI's own and those on this machine are allowed.
   *
   * @throws Error when the user cannot be asked.
   */
  isAllowed?(question: EndpointQuestion, signal: AbortSignal): Promise<boolean>;
}

/**
 * Called before anything is sent, and before the name of a host is looked up.
 *
 * @throws GavelError of code ModelError when the endpoint is neither OpenAI's own, nor on this machine, nor allowed.
 */
export async function assertAllowed(
  definition: EndpointModel,
  endpoint: Endpoint,
  access: EndpointAccess,
  signal: AbortSignal,
): Promise<void> {
  if (!isNamed(definition) || isLoopback(endpoint.hostname)) return;
  const { origin, model, baseUrl, terms } = endpoint;
  const secret = secretOf(definition);
  const question = { origin, model, ...(secret === undefined ? {} : { secret }) };
  const at = { retryable: false, model, baseUrl } as const;
  let allowed = false;
  try {
    allowed = (await access.isAllowed?.(question, signal)) ?? false;
  } catch {
    throw modelError(
      `Nothing was sent to ${origin}, because this client cannot ask you whether to allow it; use a client that can, or a \`${terms.address}\` on this computer.`,
      { ...at, fix: "teamFile" },
    );
  }
  if (allowed) return;
  throw modelError(
    `Nothing was sent to ${origin}, because you did not allow it; run the team again to allow it, or change \`${terms.address}\` in the team file.`,
    { ...at, fix: "endpoint" },
  );
}

/** Whether the definition names the endpoint, rather than use the provider's own. */
const isNamed = (definition: EndpointModel): boolean =>
  definition.provider === "azure" || definition.baseUrl !== undefined;
