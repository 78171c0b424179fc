import { realpath } from "node:fs/promises";
import type { TextDocument } from "vscode";
import { Uri, workspace } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { DocumentsRead, DocumentsSave } from "../../shared/contract/client-requests.ts";
import type { ResultOf } from "../../shared/contract/message-type.ts";

/**
 * Answers the host's requests about open documents, so that tools see unsaved changes. Edits come as LSP's
 * `workspace/applyEdit`, which the language client handles, and rejects for a document that has changed since.
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

/** The open document of a file, even if it was opened through a symbolic link or with another letter case. */
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

/** The path of a file with symbolic links resolved; of a missing file, the path as it is. */
async function resolved({ fsPath }: Uri): Promise<string> {
  return realpath(fsPath).catch(() => fsPath);
}
