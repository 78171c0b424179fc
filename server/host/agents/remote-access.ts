import type { RemoteAccess } from "../../a2a/index.ts";
import { blockedReason, type KeySource, NetworkError, type Send } from "../../models/index.ts";
import type { ClientRequests } from "../client-services/client-requests.ts";
import type { EndpointPermissions } from "../client-services/endpoint-permissions.ts";
import type { ProgramPermissions } from "../client-services/program-permissions.ts";
import type { UserConsent } from "../client-services/user-consent.ts";
import { enteredInputs } from "../mcp/entered-inputs.ts";
import { limitedFetch } from "../mcp/mcp-fetch.ts";
import { withValues } from "../mcp/server-spec.ts";

export interface RemoteAccessOptions {
  readonly send: Send;
  readonly keys: KeySource;
  readonly endpoints: Pick<EndpointPermissions, "isAllowed">;
  readonly programs: Pick<ProgramPermissions, "isAllowed">;
  readonly client: ClientRequests;
  readonly consent: UserConsent;
}

/** For the agents of the team file with that URI: through the user's network, and only what the user allows. */
export function remoteAccess(options: RemoteAccessOptions, from: string): RemoteAccess {
  const { send, keys, endpoints, programs } = options;
  const fetch = limitedFetch(send);
  return {
    async fetch(url, init) {
      try {
        return await fetch(url, init);
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error;
        throw Object.assign(new Error(blockedReason(error.problem, new URL(url))), { name: "NetworkError" });
      }
    },
    mayReach: (origin, name, secret, signal) =>
      endpoints.isAllowed({ origin, model: name, agent: name, ...(secret === undefined ? {} : { secret }) }, signal),
    maySendHeaders: ({ name, url, headers }, signal) =>
      programs.isAllowed({ use: "agent", name, from, start: { url, headers } }, signal),
    async filledIn({ name, headers }, signal) {
      const asker = { name, from, use: "agent", inputs: [] } as const;
      const values = await enteredInputs(Object.values(headers), asker, options, signal);
      return Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, withValues(value, values)]));
    },
    key: (secret, { origin, host }, name) => keys.get(secret, { origin, host, agent: name }),
  };
}
