import type { Uri } from "vscode";
import { workspace } from "vscode";

const TEAM_FILES = "**/*.team.{yaml,yml,json}";
/** The documents that are team files, unsaved ones included. */
export const TEAM_FILE_DOCUMENTS = ["file", "untitled"].map((scheme) => ({
  scheme,
  pattern: TEAM_FILES,
}));

const EXCLUDED = "**/{node_modules,.git,dist,out}/**";
/** The longest list that a user picks from. Other files can be opened from the Explorer. */
const MAX_FILES = 200;

/** The workspace's team files, by path. */
export async function findTeamFiles(): Promise<readonly Uri[]> {
  const found = await workspace.findFiles(TEAM_FILES, EXCLUDED, MAX_FILES);
  return [...found].sort((a, b) => a.path.localeCompare(b.path));
}

/** A team file's path, relative to the workspace. */
export function teamFileLabel(uri: Uri): string {
  return workspace.asRelativePath(uri);
}

/** The names of the API keys in a team file, in order. Only an approximation, for a list to pick from. */
export function secretsNamedIn(text: string): readonly string[] {
  const names = [...text.matchAll(/["']?secret["']?\s*:\s*["']?([\w.:/@-]+)/g)].flatMap((match) => match[1] ?? []);
  return [...new Set(names)];
}
