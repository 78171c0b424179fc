import type { WorkspacePath } from "../workspace/workspace.ts";

/** Characters that HFS+ ignores in names, so that a name with them can mean `.git` there. */
const IGNORED_CHARACTERS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Refuses Git's own data: a hook or setting written there would run as a command that no one approved. Every name that
 * some file system resolves to `.git` counts: any case, trailing dots and spaces (Windows), the short name (NTFS).
 * @throws Error when the path is in Git's data.
 */
export function assertNoGitData({ path, shown }: WorkspacePath): void {
  if (path.split(/[\\/]/).some(isGitFolder)) {
    throw new Error(`"${shown}" is Git's own data and cannot be edited; use a git command.`);
  }
}

function isGitFolder(name: string): boolean {
  const plain = name
    .replace(IGNORED_CHARACTERS, "")
    .replace(/(?:::?[^/]*)?[. ]*$/, "")
    .toLowerCase();
  return plain === ".git" || plain === "git~1";
}
