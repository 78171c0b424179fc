import { blockedReason, type Network, NetworkError } from "../../models/index.ts";
import type { WebAccess } from "../../tools/index.ts";
import { HOST_NAME, nameListSetting } from "./command-settings.ts";

/** The setting about hosts of private networks. The client takes it from the user only, never from a workspace. */
export const localHostsSetting = () => nameListSetting("gavel.webFetch.localHosts", HOST_NAME);

/** The web as the user's network settings reach it. */
export const webAccess = (network: Pick<Network, "sendResolved">, localHosts: WebAccess["localHosts"]): WebAccess => ({
  localHosts,
  get: async (url, request) => {
    try {
      return await network.sendResolved(url, request);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      throw new Error(`${url.href} cannot be read: ${blockedReason(error.problem, url)}.`);
    }
  },
});
