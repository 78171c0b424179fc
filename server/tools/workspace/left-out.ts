import type { ToolContext } from "../../engine/tool.ts";
import type { WorkspacePath } from "./workspace.ts";

/** The files that a search leaves out because a rule of the user denies them, or asks about them. */
export class LeftOutFiles {
  readonly #leavesOut: ToolContext["leavesOut"];
  #count = 0;

  constructor({ leavesOut }: Pick<ToolContext, "leavesOut">) {
    this.#leavesOut = leavesOut;
  }

  /** Whether a search that starts at `start` leaves out a file or folder; files are counted. */
  async has(start: WorkspacePath, { path, kind }: { readonly path: string; readonly kind?: string }): Promise<boolean> {
    if (this.#leavesOut === undefined || !(await this.#leavesOut(path))) return false;
    // A search of such a folder itself was approved.
    if (await this.#leavesOut(start.path)) return false;
    if (kind !== "folder") this.#count++;
    return true;
  }

  /** Says how many files were left out; undefined if there are none. */
  note(): string | undefined {
    if (this.#count === 0) return undefined;
    const what = this.#count === 1 ? "1 file was" : `${this.#count} files were`;
    return `${what} left out because of the user's approval rules.`;
  }
}
