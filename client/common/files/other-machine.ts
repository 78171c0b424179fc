/** What is known about a file URI: the machine that it names, and its path as the system is given it. */
interface FileUri {
  readonly authority: string;
  readonly fsPath: string;
}

/**
 * Whether a file is on another machine than all workspace folders. To look at one, Windows connects to that machine and
 * sends it the user's login, so a message must not lead to it.
 */
export function isOnOtherMachine({ authority, fsPath }: FileUri, folders: readonly FileUri[]): boolean {
  if (!/^[\\/]{2}/.test(fsPath)) return false;
  return authority === "" || folders.every((folder) => folder.authority.toLowerCase() !== authority.toLowerCase());
}
