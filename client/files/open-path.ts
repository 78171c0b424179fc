import { realpath } from "node:fs/promises";
import { commands, Range, type TextDocumentShowOptions, Uri, ViewColumn } from "vscode";
import { visibleText } from "../../shared/text/visible-text.ts";
import { type FileReference, fileReference } from "../common/files/file-reference.ts";
import { askModal } from "../dialogs/ask-modal.ts";
import { findFile, kindOf } from "./find-file.ts";
import type { WorkFolder } from "./work-folders.ts";
import { isInWorkspace } from "./workspace-file.ts";

/** How a file is opened. */
export interface OpenHow {
  /** In the editor group beside the active one. */
  readonly beside: boolean;
  /** Without moving the focus to it. */
  readonly keepFocus: boolean;
}

const OPEN = "Open File";

/**
 * Opens a file that a message names, at its line. Asks the user first when it is outside the workspace, links followed.
 * @throws Error when it does not exist.
 */
export async function openPath(text: string, how: OpenHow, folders: readonly WorkFolder[]): Promise<void> {
  const reference = fileReference(text);
  const { kind, uri, label } = await findFile(text, folders);
  if (reference === undefined || uri === undefined) throw new Error(missingText(label));
  if (kind === "folder") {
    await commands.executeCommand("revealInExplorer", uri);
    return;
  }
  const outside = kind === "outside" ? uri : await leadsOutside(uri, folders);
  if (outside !== undefined && !(await mayOpenOutside(outside))) return;
  if ((await kindOf(uri)) !== "file") throw new Error(missingText(label));
  await commands.executeCommand("vscode.open", uri, showOptions(reference, how));
}

const missingText = (label: string): string =>
  `There is no file "${label}". It may have been moved or deleted, or is not written yet.`;

/** Where the links of a file in the workspace lead when that is outside. */
async function leadsOutside(uri: Uri, folders: readonly WorkFolder[]): Promise<Uri | undefined> {
  if (uri.scheme !== "file") return undefined;
  const path = await realpath(uri.fsPath).catch(() => undefined);
  return path === undefined || (await isInWorkspace(path, folders)) ? undefined : Uri.file(path);
}

async function mayOpenOutside(uri: Uri): Promise<boolean> {
  const detail = `${visibleText(uri.fsPath).text}\n\nA message of a participant links to it.`;
  return (await askModal("Open a file outside the workspace?", detail, OPEN)) === OPEN;
}

function showOptions({ line, column = 1, endLine }: FileReference, { beside, keepFocus }: OpenHow) {
  const start = (line ?? 1) - 1;
  const range =
    endLine === undefined ? new Range(start, column - 1, start, column - 1) : new Range(start, 0, endLine, 0);
  return {
    preview: true,
    preserveFocus: keepFocus,
    ...(line === undefined ? {} : { selection: range }),
    ...(beside ? { viewColumn: ViewColumn.Beside } : {}),
  } satisfies TextDocumentShowOptions;
}
