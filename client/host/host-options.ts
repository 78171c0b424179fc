import type { ExtensionContext, LogOutputChannel } from "vscode";
import { Uri, workspace } from "vscode";
import { messageOf } from "../../shared/contract/errors.ts";
import { LOCAL_USER_ID } from "../common/user-id.ts";
import type { WorkFolders } from "../files/work-folders.ts";
import type { ConnectionOptions } from "./connection.ts";
import { workspaceStorage } from "./storage-path.ts";
import { registerStore } from "./store-places.ts";

/** The folder of stored teams: that of the workspace or, if no folder is open, the global one. */
export function storagePathOf({ storageUri, globalStorageUri }: ExtensionContext): string {
  return storageUri === undefined ? globalStorageUri.fsPath : workspaceStorage(storageUri.fsPath);
}

/** The version of this extension. */
export function versionOf({ extension }: ExtensionContext): string {
  const { version }: { version: string } = extension.packageJSON;
  return version;
}

/** Whether a folder is open. If so, teams are stored with the workspace. */
export function hasWorkspace(): boolean {
  return (workspace.workspaceFolders?.length ?? 0) > 0;
}

/** The options to start the host with in this window. */
export function hostOptions(
  context: ExtensionContext,
  log: LogOutputChannel,
  { credentials, programs, inputs }: Pick<ConnectionOptions, "credentials" | "programs" | "inputs">,
  clientId: string,
  documents: ConnectionOptions["documents"],
  { scratch }: WorkFolders,
  answerTools: ConnectionOptions["answerTools"],
): ConnectionOptions {
  const [store, link] = ["store", "link"].map((name) => workspace.getConfiguration("gavel").get(name, "").trim());
  return {
    serverModule: context.asAbsolutePath("dist/server.js"),
    cwd: context.extensionPath,
    version: versionOf(context),
    log,
    documents,
    initialization: {
      storagePath: storagePathOf(context),
      ...(store ? { store } : {}),
      ...(link ? { link } : {}),
      globalStoragePath: context.globalStorageUri.fsPath,
      scratchPath: scratch.fsPath,
      mcpFiles: [userMcpFile(context)],
      user: { id: LOCAL_USER_ID, name: "user" },
      share: true,
      clientId,
    },
    lendsKeys: () => workspace.getConfiguration("gavel").get("host.lendKeys") === true,
    credentials,
    programs,
    inputs,
    mayUseModel: (model) => context.languageModelAccessInformation.canSendRequest(model),
    answerTools,
  };
}

/** Tells the user's other clients, such as the command line, where the teams of this window are stored. */
export function tellStorePlace(context: ExtensionContext, log: LogOutputChannel): void {
  const folders = (workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === "file" ? [uri.fsPath] : []));
  if (folders.length === 0) return;
  registerStore({
    folders,
    storagePath: storagePathOf(context),
    globalStoragePath: context.globalStorageUri.fsPath,
  }).catch((error: unknown) =>
    log.warn(`The command line will not find the threads of this window: ${messageOf(error)}.`),
  );
}

/**
 * The user's `mcp.json` of VS Code, which MCP: Open User Configuration opens, and in a remote window that of the remote
 * machine. Extensions have their global storage beside it.
 */
const userMcpFile = ({ globalStorageUri }: ExtensionContext): string =>
  Uri.joinPath(globalStorageUri, "..", "..", "mcp.json").fsPath;
