import { fileURLToPath } from "node:url";
import type { Connection, InitializeParams, WorkspaceFoldersChangeEvent } from "vscode-languageserver/node";

/** The client's open folders, as paths. The host's tools work only in these. */
export class WorkspaceRoots {
  readonly #uris: Set<string>;
  #paths: readonly string[] | undefined;

  constructor({ workspaceFolders, rootUri }: Pick<InitializeParams, "workspaceFolders" | "rootUri">) {
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    this.#uris = new Set(uris);
  }

  /** Updates the folders when the client opens and closes some. Only for a client that supports it. */
  follow(connection: Connection): void {
    connection.workspace.onDidChangeWorkspaceFolders((change) => this.change(change));
  }

  change({ added, removed }: WorkspaceFoldersChangeEvent): void {
    for (const { uri } of removed) this.#uris.delete(uri);
    for (const { uri } of added) this.#uris.add(uri);
    this.#paths = undefined;
  }

  get paths(): readonly string[] {
    this.#paths ??= [...this.#uris].flatMap((uri) => pathOf(uri) ?? []);
    return this.#paths;
  }
}

/** A folder that is not a file URI has no path, so the tools cannot reach it. */
function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
