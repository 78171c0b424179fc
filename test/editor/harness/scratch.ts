import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { baseSettings } from "./base-settings.ts";

/** The folders of one test's editor, fresh and its own. */
export interface Scratch {
  readonly serverDataDir: string;
  readonly extensionsDir: string;
  /** A copy of the workspace, so that a test may write into it; empty when the test gave none. */
  readonly workspace: string;
  /** Where VS Code and extensions write their logs. */
  readonly logs: string;
  /** Writes the user's settings anew, above the base settings. VS Code takes them in at once. */
  readonly writeSettings: (settings: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly remove: () => Promise<void>;
}

export async function makeScratch(
  workspaceToCopy: string | undefined,
  settings: Readonly<Record<string, unknown>>,
): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), "gavel-editor-"));
  const serverDataDir = join(folder, "server");
  const user = join(serverDataDir, "data", "User");
  const workspace = join(folder, "workspace");
  const writeSettings = (wanted: Readonly<Record<string, unknown>>): Promise<void> =>
    writeFile(join(user, "settings.json"), JSON.stringify({ ...baseSettings, ...wanted }, undefined, 2));
  await mkdir(user, { recursive: true });
  await mkdir(workspace);
  if (workspaceToCopy !== undefined) await cp(workspaceToCopy, workspace, { recursive: true });
  await writeSettings(settings);
  return {
    serverDataDir,
    extensionsDir: join(folder, "extensions"),
    workspace,
    logs: join(serverDataDir, "data", "logs"),
    writeSettings,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
