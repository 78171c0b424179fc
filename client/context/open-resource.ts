import { commands, Range, Uri, window } from "vscode";
import type { Attachment } from "../common/attachments.ts";
import type { WorkFolder } from "../files/work-folders.ts";
import { requireInWorkspace } from "../files/workspace-file.ts";
import type { ServerContext } from "./server-context.ts";

/**
 * Shows something that is or was attached. The user chose it, but a message of the thread may come from elsewhere.
 * @param folders where the team works.
 * @param isPasted tells the files that the user has pasted, which are outside the workspace.
 * @param servers shows the resources of MCP servers.
 */
export async function openResource(
  { kind, uri, lines, server }: Pick<Attachment, "kind" | "uri" | "lines" | "server">,
  folders: readonly WorkFolder[],
  isPasted: (uri: Uri) => boolean,
  servers: ServerContext,
): Promise<void> {
  if (kind === "problems") await commands.executeCommand("workbench.actions.view.problems");
  else if (kind === "terminal") await commands.executeCommand("workbench.action.terminal.focus");
  else if (kind === "resource") {
    if (uri !== undefined && server !== undefined) await servers.show(server, uri);
  } else if (uri !== undefined) {
    const file = Uri.parse(uri, true);
    const isOwn = file.scheme === "untitled" || isPasted(file);
    await openFile(isOwn ? file : await requireInWorkspace(file, folders), kind, lines);
  }
}

async function openFile(file: Uri, kind: Attachment["kind"], lines: Attachment["lines"]): Promise<void> {
  if (kind === "image") await commands.executeCommand("vscode.open", file);
  else {
    const selection = lines === undefined ? undefined : new Range(lines.start - 1, 0, lines.end, 0);
    await window.showTextDocument(file, selection === undefined ? {} : { selection });
  }
}
