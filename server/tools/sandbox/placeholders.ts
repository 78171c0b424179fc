import { lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";

/** Folders whose content runs by itself: Git's hooks and settings, and the editor's tasks. */
const NAMES = [".git", ".vscode"];

/**
 * Empty folders that stand for protected ones while sandboxed commands run, so that a command cannot make its own. A
 * sandbox can protect only what exists.
 */
export class Placeholders {
  readonly #uses = new Map<string, number>();

  /** Makes the folders that are missing in the roots, and counts one more use of them. Returns their paths. */
  take(roots: readonly string[]): readonly string[] {
    const taken = roots
      .flatMap((root) => NAMES.map((name) => join(root, name)))
      .filter((path) => this.#uses.has(path) || isMade(path));
    for (const path of taken) this.#uses.set(path, (this.#uses.get(path) ?? 0) + 1);
    return taken;
  }

  /** Removes those that no command uses any more. One that is not empty is not a placeholder now, and stays. */
  release(paths: readonly string[]): void {
    for (const path of paths) {
      const left = (this.#uses.get(path) ?? 1) - 1;
      if (left > 0) this.#uses.set(path, left);
      else {
        this.#uses.delete(path);
        removeIfEmpty(path);
      }
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
