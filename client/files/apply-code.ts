import { realpath } from "node:fs/promises";
import type { TextDocument, TextEditor, Uri } from "vscode";
import { EndOfLine, Range, WorkspaceEdit, window, workspace } from "vscode";
import { visibleText } from "../../shared/text/visible-text.ts";
import { requireTrust } from "../trust.ts";
import { appendEdit, type CodeEdit, isWholeFile, wholeFileEdit } from "./code-edit.ts";
import { findFile } from "./find-file.ts";
import type { WorkFolder } from "./work-folders.ts";
import { isInWorkspace } from "./workspace-file.ts";

/** What a block of code would change in a file, which exists. */
export interface CodeChange {
  readonly uri: Uri;
  /** The whole text of the file, before and after the change. */
  readonly before: string;
  readonly after: string;
  readonly edit: CodeEdit;
  /** The team's folders, one of which has the file. */
  readonly folders: readonly WorkFolder[];
}

/**
 * The change by a block of code: of the first of the paths that names a file of the workspace, else of the active text
 * editor's. The code replaces the file if it looks like all of it, else the selection; without one the user is asked.
 * @returns undefined when the user cancels.
 * @throws Error when there is no such file, it is outside the workspace, or has the code already; in Restricted Mode.
 */
export async function changeByCode(
  code: string,
  paths: readonly string[],
  folders: readonly WorkFolder[],
): Promise<CodeChange | undefined> {
  requireTrust("Code is not applied in Restricted Mode. Use Copy, or trust the workspace.");
  const document = await documentFor(paths, folders);
  await requireInside(document.uri, folders);
  const before = document.getText();
  const given = document.eol === EndOfLine.CRLF ? toCrlf(code) : code;
  const edit = isWholeFile(given, before) ? wholeFileEdit(given, before) : await partialEdit(given, document);
  if (edit === undefined) return undefined;
  const text = document.eol === EndOfLine.CRLF ? toCrlf(edit.text) : edit.text;
  const after = before.slice(0, edit.start) + text + before.slice(edit.end);
  if (after === before) throw new Error(`"${shownName(document.uri)}" already has this code.`);
  return { uri: document.uri, before, after, edit: { ...edit, text }, folders };
}

/**
 * Makes a change as the user's own edit: it can be undone in the editor, and is not saved.
 * @throws Error when the file has changed since, is read-only or was moved out of the workspace.
 */
export async function applyChange({ uri, before, edit, folders }: CodeChange): Promise<void> {
  await requireInside(uri, folders);
  const document = await workspace.openTextDocument(uri);
  if (document.getText() !== before)
    throw new Error("The file has changed since the diff was shown. Close the diff and use Apply as Diff again.");
  const change = new WorkspaceEdit();
  change.replace(uri, new Range(document.positionAt(edit.start), document.positionAt(edit.end)), edit.text);
  if (!(await workspace.applyEdit(change)))
    throw new Error(`"${shownName(uri)}" cannot be changed. Check that it is not read-only.`);
  await window.showTextDocument(document, { preview: false });
}

/** A file's path as VS Code shows it, relative to its workspace folder. */
export const labelOf = (uri: Uri): string => workspace.asRelativePath(uri);

const shownName = (uri: Uri): string => visibleText(labelOf(uri)).text;

const toCrlf = (text: string): string => text.replace(/\r?\n/g, "\r\n");

async function documentFor(paths: readonly string[], folders: readonly WorkFolder[]): Promise<TextDocument> {
  for (const path of paths) {
    const { kind, uri } = await findFile(path, folders);
    if (kind === "file" && uri !== undefined && (await isInside(uri, folders))) return workspace.openTextDocument(uri);
  }
  // A chat that is an editor itself is the active editor, and no text editor.
  const editor = window.activeTextEditor ?? window.visibleTextEditors[0];
  if (editor !== undefined) return editor.document;
  throw new Error("No text editor is open. Open the file to apply the code to, or use Open as File.");
}

/** Symbolic links are followed: what a link in the workspace leads to may be outside of it. */
async function isInside(uri: Uri, folders: readonly WorkFolder[]): Promise<boolean> {
  const path = uri.scheme === "file" ? await realpath(uri.fsPath).catch(() => undefined) : undefined;
  return path !== undefined && isInWorkspace(path, folders);
}

async function requireInside(uri: Uri, folders: readonly WorkFolder[]): Promise<void> {
  if (await isInside(uri, folders)) return;
  throw new Error(`"${shownName(uri)}" is not a file of the workspace. Use Insert at Cursor.`);
}

/** Puts code in place of the selection, or where the user wants it. */
async function partialEdit(code: string, document: TextDocument): Promise<CodeEdit | undefined> {
  const editor = editorOf(document);
  if (editor !== undefined && !editor.selection.isEmpty) return selectionEdit(code, editor);
  const file = document.getText();
  const whole = { label: "Replace the Whole File", edit: wholeFileEdit(code, file) };
  const part =
    editor === undefined
      ? { label: "Insert at the End of the File", edit: appendEdit(code, file) }
      : { label: "Insert at the Cursor", edit: selectionEdit(code, editor) };
  const picked = await window.showQuickPick([whole, part], {
    title: `Apply to ${shownName(document.uri)}`,
    placeHolder: "Select what the code changes. A diff shows it first.",
  });
  return picked?.edit;
}

function editorOf(document: TextDocument): TextEditor | undefined {
  const shows = (editor: TextEditor | undefined): boolean => editor?.document === document;
  return shows(window.activeTextEditor) ? window.activeTextEditor : window.visibleTextEditors.find(shows);
}

function selectionEdit(code: string, { document, selection }: TextEditor): CodeEdit {
  return { start: document.offsetAt(selection.start), end: document.offsetAt(selection.end), text: code };
}
