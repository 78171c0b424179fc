import type { CommonOptions } from "../arguments/parse.ts";
import type { ClientAnswers } from "../host/client-answers.ts";
import { HostClient } from "../host/host-client.ts";
import { existingFolder, findStore } from "../stores/find-store.ts";
import { shownLine } from "../text/shown-text.ts";

/** Starts a host for a command that runs no team, and ends it. Nothing is allowed but what `allows` says. */
export async function withHost<T>(
  { folder: given, ownStore }: CommonOptions,
  use: (host: HostClient) => Promise<T>,
  allows: Partial<Pick<ClientAnswers, "allowsEndpoint" | "allowsProgram">> = {},
): Promise<T> {
  const folder = existingFolder(given);
  await using host = await HostClient.start({
    store: findStore(folder, { own: ownStore }),
    folder,
    answers: {
      key: async () => null,
      allowsEndpoint: async () => false,
      allowsProgram: async () => false,
      ...allows,
      setting: () => null,
      tell: (_, message) => void process.stderr.write(`${shownLine(message)}\n`),
    },
  });
  return await use(host);
}
