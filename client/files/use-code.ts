import { languages, window, workspace } from "vscode";
import { languageIdentifier } from "./code-language.ts";

/** Puts code in place of the selections of the active text editor, which then has the focus. @throws Error without one. */
export async function insertCode(code: string): Promise<void> {
  // A chat that is an editor itself is the active editor, and no text editor.
  const editor = window.activeTextEditor ?? window.visibleTextEditors[0];
  if (editor === undefined)
    throw new Error("No text editor is open. Open the file to insert into, or use Open as File.");
  const inserted = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, code);
  });
  if (!inserted) throw new Error("The code cannot be inserted: the active editor is read-only.");
  const { document, viewColumn } = editor;
  await window.showTextDocument(document, viewColumn === undefined ? {} : { viewColumn });
}

/** Opens code as a new file that is not saved yet. @param name what a message calls its language. */
export async function openCode(code: string, name: string): Promise<void> {
  const language = languageIdentifier(name, await languages.getLanguages());
  await window.showTextDocument(await workspace.openTextDocument({ content: code, language }), { preview: false });
}
