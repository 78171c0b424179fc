import type { RemoteServices } from "../../a2a/index.ts";
import { blockedReason, type KeySource, NetworkError, type Send } from "../../models/index.ts";
import type { EndpointPermissions } from "../client-services/endpoint-permissions.ts";
import { limitedFetch } from "../mcp/mcp-fetch.ts";

/** How agents elsewhere are reached: through the user's network, and only where the user allows it. */
export function remoteAccess(
  send: Send,
  keys: KeySource,
  endpoints: Pick<EndpointPermissions, "isAllowed">,
): Pick<RemoteServices, "fetch" | "mayReach" | "key"> {
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
    key: (secret, { origin, host }, name) => keys.get(secret, { origin, host, agent: name }),
  };
}
