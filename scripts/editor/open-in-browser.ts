import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "../root.ts";
import { runNode } from "../run-process.ts";
import { hasDisplay } from "./desktop-vscode.ts";
import { npmVscode } from "./npm-vscode.ts";
import type { OpenedEditor, ToOpen } from "./opened-editor.ts";
import { giveSettings } from "./start-settings.ts";
import { installVsix, type ServerOptions, startVscodeServer, workbenchAddress } from "./vscode-server.ts";

/**
 * The port is part of the key of a workspace's storage: with the same port at each start, yesterday's teams are there today.
 */
const ports = "37100-37119";

/**
 * Starts VS Code's server from npm with the packaged extension, and opens it in the default browser if there is one. The
 * workbench runs extensions from sources only in its test mode, which shows no notifications.
 */
export async function openInBrowser({ folder, trusted }: ToOpen): Promise<OpenedEditor> {
  const state = join(root, ".cache", "start");
  const options: ServerOptions = {
    script: await npmVscode(),
    serverDataDir: join(state, "data"),
    extensionsDir: join(state, "extensions"),
    port: ports,
    untrusted: !trusted,
    env: { GAVEL_WALKTHROUGH: "1" },
  };
  await giveSettings(join(options.serverDataDir, "data", "User"));
  await runNode([join(root, "scripts", "package.ts")]);
  await installVsix(options, join(root, "dist", "gavel.vsix"));
  const server = await startVscodeServer(options);
  try {
    const address = workbenchAddress(server.origin, folder, [["skipWelcome", "true"]]);
    await answers(address);
    if (hasDisplay()) showInBrowser(address);
    return { where: address, closed: new Promise(() => {}), dispose: server.dispose };
  } catch (error) {
    await server.dispose();
    throw error;
  }
}

/** @throws when there is no workbench at this address. */
async function answers(address: string): Promise<void> {
  // The first answer sets the token as a cookie and redirects; the token in the query is enough here.
  const response = await fetch(address, { redirect: "manual", signal: AbortSignal.timeout(30_000) });
  await response.body?.cancel();
  if (response.status >= 400) throw new Error(`VS Code's server answered ${response.status} at ${address}.`);
}

/** If no browser opens, the printed address is enough. */
function showInBrowser(address: string): void {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", address]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler", address]
        : ["xdg-open", address];
  spawn(command, args, { stdio: "ignore", detached: true })
    .on("error", () => console.log("No browser could be opened; open the address yourself."))
    .unref();
}
