import { commands, Position, WorkspaceEdit } from "vscode";
import { EDITOR_LIMITS, type EditorFileEdits, type EditorRename } from "../../shared/contract/editor-requests.ts";
import type { ParamsOf, ResultOf } from "../../shared/contract/message-type.ts";
import { rangeOf } from "./protocol-places.ts";
import { windowDocument } from "./window-uri.ts";

/**
 * What a rename of a symbol would change, by VS Code's language extensions; nothing is changed here.
 * @throws the sentence of the extension that refuses a name.
 */
export async function rename(params: ParamsOf<typeof EditorRename>): Promise<ResultOf<typeof EditorRename>> {
  const { uri, position, newName } = params;
  const { document } = await windowDocument(uri);
  const at = new Position(position.line, position.character);
  const command = "vscode.executeDocumentRenameProvider";
  const found = await commands.executeCommand<unknown>(command, document.uri, at, newName);
  if (!(found instanceof WorkspaceEdit)) return { failure: "No language extension of the editor can rename this." };
  const files = found.entries().map(
    ([file, edits]): EditorFileEdits => ({
      uri: file.toString(),
      edits: edits.map(({ range, newText }) => ({ range: rangeOf(range), newText })),
    }),
  );
  const { files: maxFiles, edits: maxEdits, newText: maxText } = EDITOR_LIMITS;
  const isTooLarge = files.length > maxFiles || files.some(({ edits }) => edits.length > maxEdits);
  const isTooLong = files.some(({ edits }) => edits.some(({ newText }) => newText.length > maxText));
  return isTooLarge || isTooLong
    ? { failure: "The rename changes too much to be shown, so it was not made." }
    : { files };
}
