import { lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { SessionFolder } from "../session/session-folder.ts";

/** Folders whose content runs by itself: Git's hooks and settings, and the editor's tasks. */
const NAMES = [".git", ".vscode"];

/**
 * Empty folders that stand for protected ones while sandboxed commands run, so that a command cannot make its own. A
 * sandbox can protect only what exists.
 */
export class Placeholders {
  readonly #session: SessionFolder;
  readonly #made = new Map<string, { uses: number; readonly forget: () => void }>();

  constructor(session: SessionFolder) {
    this.#session = session;
  }

  /**
   * Makes the folders that are missing in the roots, and counts one more use of them. Returns their paths.
   * @throws Error for a link: what it leads to can be protected, but not the link itself.
   */
  take(roots: readonly string[]): readonly string[] {
    const paths = roots.flatMap((root) => NAMES.map((name) => join(root, name)));
    const link = paths.find((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink());
    if (link !== undefined) {
      throw new Error(
        `${basename(link)} is a symbolic link, which the sandbox cannot protect; replace it with a folder`,
      );
    }
    return paths.filter((path) => {
      const made = this.#made.get(path);
      if (made !== undefined) made.uses++;
      else if (isMade(path)) this.#made.set(path, { uses: 1, forget: this.#session.note(path) });
      return this.#made.has(path);
    });
  }

  /** Removes those that no command uses any more. One that is not empty is not a placeholder now, and stays. */
  release(paths: readonly string[]): void {
    for (const path of paths) {
      const made = this.#made.get(path);
      if (made === undefined || --made.uses > 0) continue;
      this.#made.delete(path);
      removeIfEmpty(path);
      made.forget();
    }
  }
}

/** False when there is something already, or the folder cannot be written, so that a command cannot make it either. */
function isMade(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false;
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // It has content by now, or is gone.
  }
}
