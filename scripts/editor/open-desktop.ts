import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { root } from "../root.ts";
import { cacheFolder } from "./cache-folder.ts";
import { desktopUserData, type Program, rootArguments } from "./desktop-vscode.ts";
import type { OpenedEditor, ToOpen } from "./opened-editor.ts";
import { giveSettings } from "./start-settings.ts";

/** Opens a window of the desktop VS Code with the extension from this checkout. */
export async function openDesktop([command, ...args]: Program, { folder, trusted }: ToOpen): Promise<OpenedEditor> {
  await giveSettings(join(desktopUserData(), "User"));
  const child = spawn(
    command,
    [
      ...args,
      `--extensionDevelopmentPath=${root}`,
      ...["--user-data-dir", desktopUserData(), "--extensions-dir", cacheFolder("desktop-profile", "extensions")],
      ...["--new-window", "--wait", "--skip-welcome", "--skip-release-notes"],
      ...(trusted ? ["--disable-workspace-trust"] : []),
      ...rootArguments(),
      folder,
    ],
    { stdio: "ignore", env: { ...process.env, GAVEL_WALKTHROUGH: "1" } },
  );
  await once(child, "spawn");
  return {
    where: `${command}, in a window of its own`,
    closed: closing(child),
    dispose: async () => void child.kill(),
  };
}

async function closing(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) await once(child, "exit");
}
