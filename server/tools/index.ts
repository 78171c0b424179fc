import type { Tool } from "../engine/tool.ts";
import { listFilesTool } from "./list-files.ts";
import { readFileTool } from "./read-file.ts";
import { runCommandTool } from "./run-command.ts";
import { searchTextTool } from "./search-text.ts";
import type { Workspace } from "./workspace.ts";

export type { Workspace } from "./workspace.ts";

/** The host's own tools by name, for work in the folders that are open. They are bounded to those, with links resolved. */
export function workspaceTools(workspace: Workspace): ReadonlyMap<string, Tool> {
  const tools = [
    readFileTool(workspace),
    listFilesTool(workspace),
    searchTextTool(workspace),
    runCommandTool(workspace),
  ];
  return new Map(tools.map((tool) => [tool.declaration.name, tool]));
}
