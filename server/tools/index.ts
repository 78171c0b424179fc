import type { Tool } from "../engine/tool.ts";
import { editFileTool } from "./edit-file.ts";
import { FileEditor } from "./edits/file-editor.ts";
import { listFilesTool } from "./list-files.ts";
import { readFileTool } from "./read-file.ts";
import { runCommandTool } from "./run-command.ts";
import { searchTextTool } from "./search-text.ts";
import type { Workspace } from "./workspace.ts";
import { writeFileTool } from "./write-file.ts";

export type { Documents, OpenDocument } from "./edits/documents.ts";
export type { EditLog, EditOrigin, FileEdit, PlannedEdit } from "./edits/edit-log.ts";
export { FileEditor } from "./edits/file-editor.ts";
export { readMemoryFile } from "./memory-file.ts";
export type { Workspace } from "./workspace.ts";

/**
 * The host's own tools by name, for work in the folders that are open. They are bounded to those, with links resolved. Edits go
 * through `editor`; one of its own knows no open documents and keeps nothing to undo.
 */
export function workspaceTools(
  workspace: Workspace,
  editor: FileEditor = new FileEditor(workspace),
): ReadonlyMap<string, Tool> {
  const tools = [
    readFileTool(workspace),
    listFilesTool(workspace),
    searchTextTool(workspace),
    editFileTool(workspace, editor),
    writeFileTool(workspace, editor),
    runCommandTool(workspace),
  ];
  return new Map(tools.map((tool) => [tool.declaration.name, tool]));
}
