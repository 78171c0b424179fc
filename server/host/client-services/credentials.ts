import { CredentialsGet } from "../../../shared/contract/client-requests.ts";
import type { KeySource } from "../../models/index.ts";
import type { ClientRequests } from "./client-requests.ts";
import type { LentKeys } from "./lent-keys.ts";
import type { UserConsent } from "./user-consent.ts";

/** Who has keys. */
interface KeyOwner {
  readonly requests: ClientRequests;
  readonly lentKeys: LentKeys;
}

/**
 * Keys from the client whose user acts, requested each time and never stored here; while it is gone, those that its user has
 * lent. A client that does not answer `credentials/get` has no key. The client may ask the user first.
 */
export function clientKeys(now: () => KeyOwner, environment: string | undefined, consent: UserConsent): KeySource {
  return {
    get: async (secret, { host, origin, agent }) => {
      const { requests, lentKeys } = now();
      const whose = agent === undefined ? {} : { agent };
      const sent = requests.send(CredentialsGet, { secret, origin, endpoint: host, ...whose });
      const answer = await consent.during(sent).catch(() => undefined);
      if (answer !== undefined) lentKeys.note(secret, origin, answer);
      return answer?.value ?? null;
    },
    environment,
  };
}
