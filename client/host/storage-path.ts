import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * The folder in which the teams of a workspace are stored. To a second window of the same workspace VS Code gives a folder
 * of its own, which has a number behind the id of the workspace: `ID-1/gavel.gavel`. All windows use that of the first, so
 * that they have the same teams and the same host.
 */
export function workspaceStorage(path: string): string {
  const folder = dirname(path);
  const id = /^(.*[0-9a-f])-[1-9]$/.exec(basename(folder))?.[1];
  if (id === undefined) return path;
  const first = join(dirname(folder), id);
  return existsSync(first) ? join(first, basename(path)) : path;
}
