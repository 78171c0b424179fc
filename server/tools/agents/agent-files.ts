import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as z from "zod";
import { isRecord } from "../../../shared/json-record.ts";
import type { Tool } from "../../engine/tool.ts";
import { defineTool, rejectOnAbort } from "../define-tool.ts";
import type { FileEditor } from "../edits/file-editor.ts";
import { type ChangedFile, changedFiles, fileVersions, versionOf } from "../edits/file-versions.ts";
import { decodedText, previewOf } from "../edits/text-change.ts";
import { readFileTool } from "../files/read-file.ts";
import { writeFileTool } from "../files/write-file.ts";
import { approvedPlace, pathEffects } from "../workspace/approved-places.ts";
import { locate, type Workspace } from "../workspace/workspace.ts";
import { shortPath } from "./short-path.ts";

const input = z.strictObject({
  path: z.string().min(1).max(4096),
  /** The first line, counted from 1, and how many. */
  line: z.number().int().min(0).optional(),
  limit: z.number().int().min(0).optional(),
});

/**
 * Reads a file for an agent program, which has its own limits: the text as it is, with unsaved changes. For the rules it is
 * `readFile`.
 */
export function agentReadTool(workspace: Workspace, editor: FileEditor): Tool {
  const { name, description } = readFileTool(workspace).declaration;
  return withShortPath(
    workspace,
    defineTool(workspace, {
      name,
      description,
      readOnly: true,
      input,
      effects: async ({ path }) => pathEffects("read", [await locate(workspace, path)]),
      run: ({ path, line = 1, limit }, context) =>
        rejectOnAbort(name, context.signal, async () => {
          const { place, bytes } = await editor.read(path);
          const text = decodedText(bytes, approvedPlace(place, context).shown);
          if (text === null) throw new Error(`There is no file "${place.shown}".`);
          if (line <= 1 && limit === undefined) return text;
          const from = Math.max(0, line - 1);
          return text
            .split("\n")
            .slice(from, limit === undefined ? undefined : from + limit)
            .join("\n");
        }),
    }),
  );
}

/** Writes a file for an agent program, as `writeFile` does. */
export const agentWriteTool = (workspace: Workspace, editor: FileEditor): Tool =>
  withShortPath(workspace, writeFileTool(workspace, editor));

/** An agent names files by their absolute paths; rules and users know them by those in the workspace. */
function withShortPath(workspace: Workspace, tool: Tool): Tool {
  const prepare = (value: unknown): unknown => {
    const path = isRecord(value) ? value["path"] : undefined;
    const short = isRecord(value) && typeof path === "string" ? { ...value, path: shortPath(workspace, path) } : value;
    return tool.prepare?.(short) ?? short;
  };
  return { ...tool, prepare };
}

/** A file's text with unsaved changes; null if there is none. @throws Error for one that cannot be edited. */
export async function editedText(editor: FileEditor, path: string): Promise<string | null> {
  const { bytes, place } = await editor.read(path);
  return decodedText(bytes, place.shown);
}

/** What a file with that content would be. @throws Error for one that cannot be edited. */
export const contentPreview = async (editor: FileEditor, path: string, content: string): Promise<unknown> =>
  previewOf(await editor.read(path), () => content);

/** The absolute path with links resolved, of a file that may not exist. */
export async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(await realPathOf(folder), basename(path));
  }
}

/** The folder of a program: absolute, in the workspace. @throws Error, in a sentence. */
export async function workFolder(workspace: Workspace, cwd: string | undefined): Promise<string> {
  if (workspace.roots().length === 0) throw new Error("no folder is open; open the one that it is to work in.");
  return (await locate(workspace, cwd ?? ".")).path;
}

/** The files of a workspace at one time, and what has changed since. */
export class WorkspaceChanges {
  readonly #workspace: Workspace;
  #before: Awaited<ReturnType<typeof fileVersions>>;

  private constructor(workspace: Workspace, before: Awaited<ReturnType<typeof fileVersions>>) {
    this.#workspace = workspace;
    this.#before = before;
  }

  /** @throws the reason of `signal`. */
  static async from(workspace: Workspace, signal: AbortSignal): Promise<WorkspaceChanges> {
    return new WorkspaceChanges(workspace, await fileVersions(workspace, signal));
  }

  /** The files that have changed since this was called last; none in a workspace with too many files. */
  async take(signal: AbortSignal): Promise<readonly ChangedFile[]> {
    const after = this.#before && (await fileVersions(this.#workspace, signal));
    if (this.#before === undefined || after === undefined) return [];
    const changed = changedFiles(this.#before, after);
    this.#before = after;
    return changed;
  }

  /** A tool of Gavel has written the file, by its absolute path: that is no change to be found. */
  async wrote(path: string): Promise<void> {
    const version = await versionOf(path);
    if (this.#before === undefined || version === undefined) return;
    const shown = this.#before.get(path)?.shown ?? shortPath(this.#workspace, path);
    this.#before = new Map(this.#before).set(path, { shown, version });
  }
}
