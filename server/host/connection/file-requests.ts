import { fileURLToPath } from "node:url";
import { FilesFind, FilesSecrets } from "../../../shared/contract/requests.ts";
import { withRealPath } from "../approvals/real-path.ts";
import type { Host } from "../host.ts";
import { type BindOptions, bindRequest } from "./bind.ts";

/** The requests about the files that a user may attach to a message. */
export function bindFileRequests(options: BindOptions, host: () => Host): void {
  bindRequest(options, FilesFind, async ({ query, limit = 50 }) => {
    await host().settingsReady();
    return { files: [...(await host().fileNames.find(query, limit))] };
  });
  bindRequest(options, FilesSecrets, async ({ uris }) => {
    const { sensitiveFiles } = host();
    await host().settingsReady();
    const secrets = uris.flatMap((uri) => {
      const [why] = pathsOf(uri).flatMap((path) => sensitiveFiles.secretFile(path)?.why ?? []);
      return why === undefined ? [] : [{ uri, why }];
    });
    return { secrets };
  });
}

/** The path of a file URI, and where its links lead; empty for what is no file. */
function pathsOf(uri: string): readonly string[] {
  try {
    return withRealPath(fileURLToPath(uri));
  } catch {
    return [];
  }
}
