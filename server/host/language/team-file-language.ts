import {
  type Connection,
  DocumentDiagnosticReportKind,
  type ServerCapabilities,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { ValidationContext } from "../definition/definition-scope.ts";
import type { ResolveContent } from "../definition/resolved-content.ts";
import { asRecord } from "../definition/unchecked-json.ts";
import type { Language } from "./completion.ts";

/** What the host can do for team files in an editor, by the Language Server Protocol. */
export const TEAM_FILE_CAPABILITIES: ServerCapabilities = {
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
  completionProvider: { triggerCharacters: [" ", '"'] },
  hoverProvider: true,
  diagnosticProvider: { identifier: "gavel", interFileDependencies: true, workspaceDiagnostics: false },
};

/**
 * Diagnostics, completion and hover in the documents that a client opens with `textDocument/didOpen`: it opens team files
 * only. `around` is awaited for each request: what the files can refer to, such as the names of tools.
 */
export function bindTeamFileLanguage(
  connection: Connection,
  around: () => Promise<ValidationContext>,
  resolverOf: (uri: string, around: ValidationContext) => ResolveContent,
): void {
  const documents = new TextDocuments(TextDocument);
  documents.listen(connection);
  const language = async (): Promise<Language> => ({ schema: await teamFileSchema(), around: await around() });
  connection.languages.diagnostics.on(async ({ textDocument }) => {
    const [context, { diagnosticsOf }] = await Promise.all([around(), import("./diagnostics.ts")]);
    const document = documents.get(textDocument.uri);
    const resolve = resolverOf(textDocument.uri, context);
    const items = document === undefined ? [] : await diagnosticsOf(document, context, resolve);
    return { kind: DocumentDiagnosticReportKind.Full, items };
  });
  connection.onCompletion(async ({ textDocument, position }) => {
    const document = asItIs(documents.get(textDocument.uri));
    const [context, { completionsAt }] = await Promise.all([language(), import("./suggestions.ts")]);
    return document === undefined ? [] : completionsAt(document, document.offsetAt(position), context);
  });
  connection.onHover(async ({ textDocument, position }) => {
    const document = asItIs(documents.get(textDocument.uri));
    const [context, { hoverAt }] = await Promise.all([language(), import("./suggestions.ts")]);
    return document === undefined ? null : hoverAt(document, document.offsetAt(position), context);
  });
}

/** A document as the position of a request means it: while other things are awaited, the user types on. */
const asItIs = (document: TextDocument | undefined): TextDocument | undefined =>
  document && TextDocument.create(document.uri, document.languageId, document.version, document.getText());

/** The JSON Schema of team files, which has a description for every key. */
async function teamFileSchema(): Promise<Language["schema"]> {
  const { default: schema } = await import("../../../media/team-file.schema.json", { with: { type: "json" } });
  return asRecord(schema);
}
