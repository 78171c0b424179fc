import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Settings of the windows that `npm start` opens: they leave room for Gavel, and nothing is asked but what matters. */
const settings: Readonly<Record<string, unknown>> = {
  // The sample is a folder of this repository.
  "git.openRepositoryInParentFolders": "never",
  "security.workspace.trust.startupPrompt": "always",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.startupEditor": "none",
};

/** Writes those that the profile does not have yet; what the developer has set stays. @param user its folder `User`. */
export async function giveSettings(user: string): Promise<void> {
  const file = join(user, "settings.json");
  const known = existsSync(file) ? await settingsIn(file) : {};
  if (known === undefined || Object.keys(settings).every((key) => key in known)) return;
  await mkdir(user, { recursive: true });
  await writeFile(file, JSON.stringify({ ...settings, ...known }, undefined, 2));
}

/** Undefined for a file with comments or mistakes, which is left as it is. */
async function settingsIn(file: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
