import type { Tool } from "../engine/tool.ts";
import type { BackgroundCommands } from "./command/background-commands.ts";
import type { CommandGuard } from "./command/command-guard.ts";
import { commandOutputTool } from "./command/command-output.ts";
import { runCommandTool } from "./command/run-command.ts";
import { type AskEditor, noEditor } from "./editor/ask-editor.ts";
import { problemsTool } from "./editor/problems.ts";
import { definitionTool, referencesTool } from "./editor/references.ts";
import { renameTool } from "./editor/rename.ts";
import { symbolsTool } from "./editor/symbols.ts";
import { terminalOutputTool } from "./editor/terminal-output.ts";
import { testTasksTool } from "./editor/test-tasks.ts";
import { FileEditor } from "./edits/file-editor.ts";
import { editFileTool } from "./files/edit-file.ts";
import { readFileTool } from "./files/read-file.ts";
import { writeFileTool } from "./files/write-file.ts";
import { applyPatchTool } from "./patch/apply-patch.ts";
import { listFilesTool } from "./search/list-files.ts";
import { searchTextTool } from "./search/search-text.ts";
import { askUserTool } from "./user/ask-user.ts";
import type { WebAccess } from "./web/read-page.ts";
import { webFetchTool } from "./web/web-fetch.ts";
import type { Workspace } from "./workspace/workspace.ts";

export { agentCommandTool } from "./agents/agent-command.ts";
export {
  agentReadTool,
  agentWriteTool,
  contentPreview,
  editedText,
  realPathOf,
  WorkspaceChanges,
  workFolder,
} from "./agents/agent-files.ts";
export type { BackgroundCommands, KnownCommand } from "./command/background-commands.ts";
export type { BackgroundProcess } from "./command/background-process.ts";
export { commandEnvironment } from "./command/command-environment.ts";
export type { CommandGuard, CommandSettings } from "./command/command-guard.ts";
export { type AskEditor, NoEditorError } from "./editor/ask-editor.ts";
export type { Documents, OpenDocument } from "./edits/documents.ts";
export { type EditLog, type EditOrigin, type FileEdit, type PlannedEdit, UNPLANNED } from "./edits/edit-log.ts";
export { FileEditor, type FileEditorOptions } from "./edits/file-editor.ts";
export type { ChangedFile } from "./edits/file-versions.ts";
export { readMemoryFile } from "./files/memory-file.ts";
export { Sandbox, type SandboxState } from "./sandbox/sandbox.ts";
export type { PathRules } from "./sandbox/workspace-paths.ts";
export { FileNames } from "./search/file-names.ts";
export { removeStaleSessions, SessionFolder, temporaryName } from "./session/session-folder.ts";
export { decodeText, type Encoding, encodeText } from "./text/text-encoding.ts";
export { askUserTool } from "./user/ask-user.ts";
export { assertNotLocal, hostAndPort, LocalAddressError, publicLookup } from "./web/local-names.ts";
export type { WebAccess } from "./web/read-page.ts";
export { locate as locateIn, rootLabels, type Workspace } from "./workspace/workspace.ts";

/** What some of the tools use of the host. */
interface ToolServices {
  readonly guard?: CommandGuard;
  readonly commands?: BackgroundCommands;
  readonly ask?: AskEditor | undefined;
  readonly web?: WebAccess;
}

/**
 * The host's own tools by name. They work only within the open folders, with symbolic links resolved. Edits go through
 * `editor`; the default one has no open documents and keeps no undo history. Without a `guard` commands run without a
 * sandbox, without `commands` none goes on in the background, without `ask` the tools that use what an editor knows fail,
 * and without `web` no page is read.
 */
export function workspaceTools(
  workspace: Workspace,
  editor: FileEditor = new FileEditor(workspace),
  { guard, commands, ask = noEditor, web }: ToolServices = {},
): ReadonlyMap<string, Tool> {
  const output = commands === undefined ? [] : [commandOutputTool(commands)];
  const runCommand = { ...runCommandTool(workspace, guard, commands), companions: output };
  const tools = [
    readFileTool(workspace),
    listFilesTool(workspace),
    searchTextTool(workspace),
    editFileTool(workspace, editor),
    writeFileTool(workspace, editor),
    applyPatchTool(workspace, editor),
    runCommand,
    ...output,
    askUserTool(),
    problemsTool(workspace, ask),
    symbolsTool(workspace, ask),
    referencesTool(workspace, editor, ask),
    definitionTool(workspace, editor, ask),
    renameTool(workspace, editor, ask),
    terminalOutputTool(workspace, ask),
    testTasksTool(workspace, ask),
    ...(web === undefined ? [] : [webFetchTool(web)]),
  ];
  return new Map(tools.map((tool) => [tool.declaration.name, tool]));
}
