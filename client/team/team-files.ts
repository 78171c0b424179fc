import type { Uri } from "vscode";
import { workspace } from "vscode";

const TEAM_FILES = "**/*.team.{yaml,yml,json}";
const NOT_IN = "**/{node_modules,.git,dist,out}/**";
/** A list that a person picks from; a workspace with more has them all in its explorer. */
const MOST = 200;

/** The workspace's team files, by path. */
export async function findTeamFiles(): Promise<readonly Uri[]> {
  const found = await workspace.findFiles(TEAM_FILES, NOT_IN, MOST);
  return [...found].sort((a, b) => a.path.localeCompare(b.path));
}

/** A team file's path as the user knows it. */
export function teamFileLabel(uri: Uri): string {
  return workspace.asRelativePath(uri);
}

/** The names of the keys that a team file asks for, in the order in which they stand. The host reads the file properly. */
export function secretsNamedIn(text: string): readonly string[] {
  const names = [...text.matchAll(/["']?secret["']?\s*:\s*["']?([\w.:/@-]+)/g)].flatMap((match) => match[1] ?? []);
  return [...new Set(names)];
}
