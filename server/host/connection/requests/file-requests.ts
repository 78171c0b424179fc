import { fileURLToPath } from "node:url";
import { FilesFind, FilesSecrets } from "../../../../shared/contract/requests.ts";
import { withRealPath } from "../../approvals/real-path.ts";
import type { Host } from "../../host.ts";
import { type BindOptions, bindRequest } from "./bind.ts";

/** The requests about the files that a user may attach to a message. */
export function bindFileRequests(options: BindOptions, host: () => Host): void {
  bindRequest(options, FilesFind, async ({ query, limit = 50, teamId }) => {
    await host().settingsReady();
    return { files: [...(await host().fileNames(teamId).find(query, limit))] };
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

/** The path of a file, and where its links lead. What is not on this machine's disk is judged by its name. */
function pathsOf(uri: string): readonly string[] {
  const url = URL.parse(uri);
  if (url === null) return [];
  try {
    return withRealPath(fileURLToPath(url));
  } catch {
    const path = decoded(url.pathname);
    // VS Code's Git extension adds this to the name of a file that it compares with.
    return [path, path.replace(/\.git$/, "")];
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
