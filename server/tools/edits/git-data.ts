import { plainNames } from "../../engine/sensitive/path-table.ts";
import type { WorkspacePath } from "../workspace/workspace.ts";

/** A folder of this name is Git's own data; the second name is its short name on NTFS. */
const GIT_FOLDERS = new Set([".git", "git~1"]);

/**
 * Refuses Git's own data: a hook or setting written there would run as a command that was never approved. Every name that
 * some file system resolves to `.git` counts.
 * @throws Error when the path is in Git's data.
 */
export function assertNoGitData({ path, shown }: WorkspacePath): void {
  if (plainNames(path).some((name) => GIT_FOLDERS.has(name))) {
    throw new Error(`"${shown}" is Git's own data and cannot be edited; use a git command.`);
  }
}
