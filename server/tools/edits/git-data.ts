import type { Place } from "../workspace/workspace.ts";

/** Letters that HFS+ passes over in names, so that a name with them can mean `.git` there. */
const PASSED_OVER = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * Refuses Git's own data: a hook or a setting written there would run as a command that nobody was asked about. All names by
 * which some file system would find `.git` count: any case, dots and spaces at the end (Windows), the short name (NTFS).
 */
export function refuseGitData({ path, shown }: Place): void {
  if (path.split(/[\\/]/).some(isGitFolder)) {
    throw new Error(`"${shown}" is Git's own data, which is not edited; use a git command.`);
  }
}

function isGitFolder(name: string): boolean {
  const plain = name
    .replace(PASSED_OVER, "")
    .replace(/(?:::?[^/]*)?[. ]*$/, "")
    .toLowerCase();
  return plain === ".git" || plain === "git~1";
}
