import { pathToFileURL } from "node:url";
import { type Connection, ErrorCodes, ResponseError } from "vscode-languageserver/node";
import { DocumentsRead, DocumentsSave } from "../../../shared/contract/client-requests.ts";
import type { Documents, OpenDocument } from "../../tools/index.ts";
import type { ClientRequests } from "../client-services/client-requests.ts";
import { textEdit } from "./text-edit.ts";

/**
 * The client's open documents, requested one by one: synchronizing all of them, as a language server does, would send every
 * keystroke in every file for the few that a team edits. A client that does not know the request has none.
 */
export class ClientDocuments implements Documents {
  readonly #client: ClientRequests;
  readonly #connection: Connection;
  #knowsDocuments = true;

  constructor(client: ClientRequests, connection: Connection) {
    this.#client = client;
    this.#connection = connection;
  }

  async read(path: string, signal?: AbortSignal): Promise<OpenDocument | undefined> {
    if (!this.#knowsDocuments) return undefined;
    try {
      const found = await this.#client.send(DocumentsRead, { uri: pathToFileURL(path).href }, signal);
      if (found === null) return undefined;
      const { uri, text, version, dirty } = found;
      return { uri, text, version, isDirty: dirty };
    } catch (error) {
      if (!isUnknownMethod(error)) throw error;
      this.#knowsDocuments = false;
      return undefined;
    }
  }

  async write({ uri, text: before, version, isDirty }: OpenDocument, text: string): Promise<boolean> {
    const { applied } = await this.#connection.workspace.applyEdit({
      label: "Gavel",
      edit: { documentChanges: [{ textDocument: { uri, version }, edits: [textEdit(before, text)] }] },
    });
    // If saving fails, the document stays open with the change, and is unsaved.
    if (applied && !isDirty) await this.#client.send(DocumentsSave, { uri }).catch(() => undefined);
    return applied;
  }
}

const isUnknownMethod = (error: unknown): boolean =>
  error instanceof ResponseError && error.code === ErrorCodes.MethodNotFound;
