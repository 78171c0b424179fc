import type { CommonOptions } from "../arguments/parse.ts";
import type { ClientAnswers } from "../host/client-answers.ts";
import { HostClient } from "../host/host-client.ts";
import { existingFolder, findStore } from "../stores/find-store.ts";
import { shownLine } from "../text/shown-text.ts";

/** The answers of a command that runs no team. */
export const NO_ANSWERS: ClientAnswers = {
  key: async () => null,
  allowsEndpoint: async () => false,
  allowsProgram: async () => false,
  setting: () => null,
  tell: (_, message) => void process.stderr.write(`${shownLine(message)}\n`),
};

/** The host for a command that runs no team: the one that runs, or one that ends with it. It may do what `allows` says. */
export async function withHost<T>(
  { folder: given, ownStore, remote }: CommonOptions,
  use: (host: HostClient) => Promise<T>,
  allows: Partial<Pick<ClientAnswers, "allowsEndpoint" | "allowsProgram">> = {},
): Promise<T> {
  const folder = existingFolder(given);
  await using host = await HostClient.start({
    share: false,
    remote,
    store: findStore(folder, { own: ownStore }),
    folder,
    answers: { ...NO_ANSWERS, ...allows },
  });
  return await use(host);
}
