import { Uri } from "vscode";
import type { ResultOf } from "../../shared/contract/message-type.ts";
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
    if (uris.length === 0) return uris;
    const refused = new Set<string>();
    for (const { uri, why } of await this.#secretsAmong(uris)) {
      const file = uris.find((candidate) => candidate.toString() === uri);
      if (file === undefined || this.#allowed.has(uri)) continue;
      if (await isWanted(shownPath(file), why)) this.#allowed.add(uri);
      else refused.add(uri);
    }
    return uris.filter((uri) => !refused.has(uri.toString()));
  }

  /** Whether a file of which only the name and the content are known may be attached. Asked each time: it may be another. */
  async allowsName(name: string): Promise<boolean> {
    const [secret] = await this.#secretsAmong([Uri.joinPath(Uri.file("/"), name)]);
    return secret === undefined || isWanted(name, secret.why);
  }

  async #secretsAmong(files: readonly Uri[]): Promise<ResultOf<typeof FilesSecrets>["secrets"]> {
    return (await this.#host.request(FilesSecrets, { uris: files.map((uri) => uri.toString()) })).secrets;
  }
}

async function isWanted(name: string, why: string): Promise<boolean> {
  const detail = `${capitalized(why)}. Its content is sent to the models of this team and stays in the thread.`;
  return (await askModal(`Attach "${name}"?`, detail, "Attach")) === "Attach";
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
