import { fileURLToPath } from "node:url";
import type { ToolContext } from "../../engine/tool.ts";
import { LeftOutFiles } from "../workspace/left-out.ts";
import { locate, locateAll, NotFoundError, type Workspace, type WorkspacePath } from "../workspace/workspace.ts";

/**
 * The places in an editor's answer that a tool may show: as for searches, those in the workspace, without files that may
 * hold secrets or that the user's rules deny, unless the call was approved for exactly that file. The others are counted.
 */
export class EditorPlaces {
  readonly #workspace: Workspace;
  readonly #approved: ReadonlySet<string>;
  readonly #rules: LeftOutFiles;
  readonly #known = new Map<string, WorkspacePath | undefined>();
  #outside = 0;
  #secret = 0;

  constructor(workspace: Workspace, context: ToolContext) {
    this.#workspace = workspace;
    const read = context.effects?.paths.filter(({ use }) => use === "read") ?? [];
    this.#approved = new Set(read.map(({ path }) => path));
    this.#rules = new LeftOutFiles(context);
  }

  /** The file of a URI; undefined for one that is not shown. */
  async fileOf(uri: string): Promise<WorkspacePath | undefined> {
    if (this.#known.has(uri)) return this.#known.get(uri);
    const file = await this.#find(uri);
    this.#known.set(uri, file);
    return file;
  }

  /** What was left out, in sentences. */
  notes(): readonly string[] {
    const files = (count: number): string => (count === 1 ? "1 file" : `${count} files`);
    const rules = this.#rules.note();
    return [
      ...(this.#outside === 0 ? [] : [`${files(this.#outside)} outside the workspace left out.`]),
      ...(this.#secret === 0 ? [] : [`${files(this.#secret)} that may hold secrets left out.`]),
      ...(rules === undefined ? [] : [rules]),
    ];
  }

  async #find(uri: string): Promise<WorkspacePath | undefined> {
    const file = await this.#locate(uri);
    if (file === undefined) {
      this.#outside++;
      return undefined;
    }
    if (this.#approved.has(file.path)) return file;
    if (this.#workspace.files?.secretFile(file.path) !== undefined) {
      this.#secret++;
      return undefined;
    }
    const [start = file] = await locateAll(this.#workspace, undefined);
    return (await this.#rules.has(start, { path: file.path, kind: "file" })) ? undefined : file;
  }

  /** Undefined for what is no file of the workspace, such as a library's. */
  async #locate(uri: string): Promise<WorkspacePath | undefined> {
    try {
      return await locate(this.#workspace, fileURLToPath(uri));
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      // What leads out of the workspace, or is Gavel's own.
      return undefined;
    }
  }
}
