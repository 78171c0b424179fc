import { realpath } from "node:fs/promises";
import type { TextDocument } from "vscode";
import { Uri, workspace } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { DocumentsRead, DocumentsSave } from "../../shared/contract/client-requests.ts";
import type { ResultOf } from "../../shared/contract/message-type.ts";

/**
 * Tells the host what the editor has open, so that a tool sees what the user has typed and not saved. Changes come back as LSP's
 * `workspace/applyEdit`, which the language client answers by itself, and refuses for a document that has changed since.
 */
export function registerDocumentRequests(client: LanguageClient): void {
  client.onRequest(DocumentsRead.method, async (params: unknown): Promise<ResultOf<typeof DocumentsRead>> => {
    const document = await documentOf(Uri.parse(DocumentsRead.params.parse(params).uri, true));
    if (document === undefined) return null;
    const { uri, version, isDirty } = document;
    return { uri: uri.toString(), text: document.getText(), version, dirty: isDirty };
  });
  client.onRequest(DocumentsSave.method, async (params: unknown): Promise<ResultOf<typeof DocumentsSave>> => {
    const document = await documentOf(Uri.parse(DocumentsSave.params.parse(params).uri, true));
    return { saved: document === undefined || (await document.save()) };
  });
}

/** The open document of a file, also when it was opened by another name: through a link, or in other letters' case. */
async function documentOf(uri: Uri): Promise<TextDocument | undefined> {
  const open = workspace.textDocuments.filter((document) => document.uri.scheme === "file" && !document.isClosed);
  const same = open.find((document) => document.uri.toString() === uri.toString());
  if (same !== undefined) return same;
  const path = await resolved(uri);
  for (const document of open) {
    if ((await resolved(document.uri)) === path && !document.isClosed) return document;
  }
  return undefined;
}

/** A file's path with its links resolved; of one that is not there, the path as it is. */
async function resolved({ fsPath }: Uri): Promise<string> {
  return realpath(fsPath).catch(() => fsPath);
}
