import { CredentialsGet } from "../../../shared/contract/client-requests.ts";
import type { KeySource } from "../../models/index.ts";
import type { ClientRequests } from "./client-requests.ts";

/**
 * Keys from the client, requested each time and never stored here. A client that does not answer `credentials/get` has no
 * key.
 */
export function clientKeys(client: ClientRequests, environment: string | undefined): KeySource {
  return {
    get: async (secret, { host, origin }) => {
      const answer = await client.send(CredentialsGet, { secret, origin, endpoint: host }).catch(() => undefined);
      return answer?.value ?? null;
    },
    environment,
  };
}
