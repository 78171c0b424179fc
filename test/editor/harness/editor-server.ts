import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createVSIX } from "@vscode/vsce";
import { npmVscode } from "../../../scripts/editor/npm-vscode.ts";
import { installVsix, startVscodeServer, workbenchAddress } from "../../../scripts/editor/vscode-server.ts";
import { root } from "../../../scripts/root.ts";
import { baseSettings } from "./base-settings.ts";

/** VS Code's server with the packaged extension in it, and where its files are. */
export interface EditorServer {
  /** The address at which a browser opens a folder, or an empty window. */
  readonly address: (folder: string | undefined) => string;
  /** Where VS Code and extensions write their logs. */
  readonly logs: string;
  /** The folder that this server's extensions run from; every server has another one. */
  readonly extensions: string;
  /** The folder in which its extensions keep what is the user's own (`XDG_DATA_HOME`), in the place of the real user's. */
  readonly userData: string;
  readonly dispose: () => Promise<void>;
}

export interface EditorServerOptions {
  /** Whether folders are not trusted: then VS Code asks in a dialog. By default they are trusted. */
  readonly untrusted?: boolean;
  /** Settings of this machine, for those that VS Code reads from nowhere else. */
  readonly machineSettings?: Readonly<Record<string, unknown>>;
  /** The folder of another extension to install beside Gavel. */
  readonly extension?: string;
}

/** What another process needs to know of a server that the test command has started. */
interface SharedServer {
  readonly origin: string;
  readonly folder: string;
}

/** Names the server that the test command has started for all test files. */
const SHARED = "GAVEL_TEST_EDITOR";

/** The shared server of the test command, if there is one. */
export function sharedServer(): EditorServer | undefined {
  const shared = process.env[SHARED];
  if (shared === undefined) return undefined;
  const { origin, folder } = JSON.parse(shared) as SharedServer;
  return { ...foldersOf(folder), address: (workspace) => addressOf(origin, workspace), dispose: async () => {} };
}

/** Starts one server for all test files that run until it is disposed of. */
export async function startSharedServer(): Promise<EditorServer> {
  const { server, shared } = await start({});
  process.env[SHARED] = JSON.stringify(shared);
  return server;
}

/**
 * Starts a server that is not shared.
 * @throws when the extension has not been packaged, or VS Code cannot be installed.
 */
export async function startEditorServer(options: EditorServerOptions = {}): Promise<EditorServer> {
  return (await start(options)).server;
}

async function start({ untrusted = false, machineSettings = {}, extension }: EditorServerOptions) {
  const vsix = join(root, "dist", "gavel.vsix");
  if (!existsSync(vsix)) throw new Error(`${vsix} does not exist; run npm run package first.`);
  const folder = await mkdtemp(join(tmpdir(), "gavel-editor-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const { serverDataDir, extensions, userData, logs } = foldersOf(folder);
    for (const [scope, settings] of [
      ["User", baseSettings],
      ["Machine", machineSettings],
    ] as const) {
      const data = join(serverDataDir, "data", scope);
      await mkdir(data, { recursive: true });
      await writeFile(join(data, "settings.json"), JSON.stringify(settings, undefined, 2));
    }
    const env = { XDG_DATA_HOME: userData };
    const options = { script: await npmVscode(), serverDataDir, extensionsDir: extensions, untrusted, env };
    await installVsix(options, vsix);
    if (extension !== undefined) await installVsix(options, await packaged(extension, folder));
    const { origin, dispose } = await startVscodeServer(options);
    const server: EditorServer = {
      address: (workspace) => addressOf(origin, workspace),
      logs,
      extensions,
      userData,
      dispose: async () => {
        await dispose();
        await remove();
      },
    };
    return { server, shared: { origin, folder } satisfies SharedServer };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Packages an extension into a folder. @returns the path of the package */
async function packaged(extension: string, into: string): Promise<string> {
  const packagePath = join(into, "other.vsix");
  await createVSIX({
    cwd: extension,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    skipLicense: true,
  });
  return packagePath;
}

function foldersOf(folder: string) {
  const serverDataDir = join(folder, "server");
  return {
    serverDataDir,
    extensions: join(folder, "extensions"),
    userData: join(folder, "user-data"),
    logs: join(serverDataDir, "data", "logs"),
  };
}

const addressOf = (origin: string, workspace: string | undefined): string =>
  workbenchAddress(origin, workspace, [["skipWelcome", "true"]]);
