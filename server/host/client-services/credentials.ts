import { CredentialsGet } from "../../../shared/contract/client-requests.ts";
import type { KeySource } from "../../models/index.ts";
import type { ClientRequests } from "./client-requests.ts";
import type { UserConsent } from "./user-consent.ts";

/**
 * Keys from the client, requested each time and never stored here. A client that does not answer `credentials/get` has no
 * key. The client may ask the user first.
 */
export function clientKeys(client: ClientRequests, environment: string | undefined, consent: UserConsent): KeySource {
  return {
    get: async (secret, { host, origin, agent }) => {
      const whose = agent === undefined ? {} : { agent };
      const sent = client.send(CredentialsGet, { secret, origin, endpoint: host, ...whose });
      const answer = await consent.during(sent).catch(() => undefined);
      return answer?.value ?? null;
    },
    environment,
  };
}
