import type { Uri } from "vscode";
import { FilesSecrets } from "../../shared/contract/requests.ts";
import { askModal } from "../dialogs/ask-modal.ts";
import type { HostProcess } from "../host/host-process.ts";
import { shownPath } from "./attached-file.ts";

/** Asks before a file that may hold secrets becomes part of a message: once for each file and window. */
export class SecretConsent {
  readonly #host: Pick<HostProcess, "request">;
  readonly #allowed = new Set<string>();

  constructor(host: Pick<HostProcess, "request">) {
    this.#host = host;
  }

  /** The files that the user lets be attached: all that hold no secrets, and those that the user has allowed. */
  async allowed(uris: readonly Uri[]): Promise<readonly Uri[]> {
    const files = uris.filter((uri) => uri.scheme === "file");
    if (files.length === 0) return uris;
    const { secrets } = await this.#host.request(FilesSecrets, { uris: files.map((uri) => uri.toString()) });
    const refused = new Set<string>();
    for (const { uri, why } of secrets) {
      const file = files.find((candidate) => candidate.toString() === uri);
      if (file === undefined || this.#allowed.has(uri)) continue;
      const detail = `${capitalized(why)}. Its content is sent to the models of this team and stays in the thread.`;
      if ((await askModal(`Attach "${shownPath(file)}"?`, detail, "Attach")) === "Attach") this.#allowed.add(uri);
      else refused.add(uri);
    }
    return uris.filter((uri) => !refused.has(uri.toString()));
  }
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
