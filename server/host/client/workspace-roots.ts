import { fileURLToPath } from "node:url";
import type { Connection, InitializeParams, WorkspaceFoldersChangeEvent } from "vscode-languageserver/node";

/** The folders that the client has open, as paths: what the host's tools are bounded to. */
export class WorkspaceRoots {
  readonly #uris: Set<string>;

  constructor({ workspaceFolders, rootUri }: Pick<InitializeParams, "workspaceFolders" | "rootUri">) {
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    this.#uris = new Set(uris);
  }

  /** Follows the folders that the client opens and closes. Only for a client that tells of them. */
  follow(connection: Connection): void {
    connection.workspace.onDidChangeWorkspaceFolders((change) => this.change(change));
  }

  change({ added, removed }: WorkspaceFoldersChangeEvent): void {
    for (const { uri } of removed) this.#uris.delete(uri);
    for (const { uri } of added) this.#uris.add(uri);
  }

  get paths(): readonly string[] {
    return [...this.#uris].flatMap((uri) => pathOf(uri) ?? []);
  }
}

/** Folders that are no files of this machine have no path, and the tools do not reach them. */
function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
