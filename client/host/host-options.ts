import type { ExtensionContext, LogOutputChannel, Uri } from "vscode";
import { workspace } from "vscode";
import type { ConnectionOptions } from "./connection.ts";

/** Whom the user's messages and interrupts are from. */
export const USER_ID = "user";

/** Where the host keeps its teams: with the workspace, or, where no folder is open, with the user. */
function storageOf(context: ExtensionContext): Uri {
  return context.storageUri ?? context.globalStorageUri;
}

/** Whether a folder is open, so that teams are kept with it. */
export function hasWorkspace(): boolean {
  return (workspace.workspaceFolders?.length ?? 0) > 0;
}

/** How the host is started in this window. */
export function hostOptions(
  context: ExtensionContext,
  log: LogOutputChannel,
  credential: ConnectionOptions["credential"],
): ConnectionOptions {
  return {
    serverModule: context.asAbsolutePath("dist/server.js"),
    cwd: context.extensionPath,
    log,
    initialization: {
      storagePath: storageOf(context).fsPath,
      globalStoragePath: context.globalStorageUri.fsPath,
      user: { id: USER_ID, name: "user" },
    },
    credential,
  };
}
