import * as z from "zod";
import type { Tool } from "../../engine/tool.ts";
import { defineTool } from "../define-tool.ts";
import { MAX_BYTES } from "../edits/disk-file.ts";
import type { FileEditor, FileState } from "../edits/file-editor.ts";
import { changeTogether, type PlannedChange, previewOfChanges } from "../edits/several-files.ts";
import { changedBytes, decodedText } from "../edits/text-change.ts";
import { plainText } from "../text/text-input.ts";
import { pathEffects } from "../workspace/approved-places.ts";
import { locateFile } from "../workspace/locate-file.ts";
import type { Workspace, WorkspacePath } from "../workspace/workspace.ts";
import { applyHunks } from "./apply-hunks.ts";
import { type FilePatch, parsePatch } from "./parse-patch.ts";

const input = z.strictObject({
  patch: plainText(MAX_BYTES).min(1).describe("The patch, from `*** Begin Patch` to `*** End Patch`."),
});

/** Applies a patch to one or several files, all of it or nothing, once the user has approved it. */
export function applyPatchTool(workspace: Workspace, editor: FileEditor): Tool {
  return defineTool(workspace, {
    name: "applyPatch",
    description:
      "Changes, adds, moves and deletes files of the workspace by a patch: all of it is applied, or nothing. It begins with " +
      "`*** Begin Patch` and ends with `*** End Patch`. Between them, each file has a line `*** Update File: PATH`, " +
      "`*** Add File: PATH` or `*** Delete File: PATH`. After Add, each line of the new file starts with `+`. After Update, " +
      "a line `*** Move to: PATH` may follow, and " +
      "each change starts with `@@`, perhaps followed by the line of the function or class that it is in, then has three " +
      "lines of context that start with a space, the removed lines with `-` and the added lines with `+`, and three lines " +
      "of context. There are no line numbers. The user is asked to approve all of the changes at once.",
    approval: "ask",
    input,
    effects: async ({ patch }) => pathEffects("write", await placesOf(patch)),
    async run({ patch }, context) {
      const changes = await plannedChanges(patch, context.signal);
      const { note } = await changeTogether(editor, changes, context, "this patch");
      return `Applied the patch.\n${changes.flatMap((change) => lineOf(change, changes)).join("\n")}${note}`;
    },
    preview: async ({ patch }) => previewOfChanges(await plannedChanges(patch, new AbortController().signal)),
  });

  /** Which files the patch is about. What is in them plays no part: the user has not allowed anything yet. */
  async function placesOf(patch: string): Promise<readonly WorkspacePath[]> {
    const paths = parsePatch(patch).flatMap((file) =>
      file.kind === "update" && file.to !== undefined ? [file.path, file.to] : [file.path],
    );
    return Promise.all(paths.map((path) => editor.locate(path)));
  }

  /** @throws Error in a sentence when a part of the patch does not apply. */
  async function plannedChanges(patch: string, signal: AbortSignal): Promise<readonly PlannedChange[]> {
    const changes: PlannedChange[] = [];
    for (const file of parsePatch(patch)) {
      signal.throwIfAborted();
      for (const change of await changesOf(file, signal)) {
        if (changes.some(({ place }) => place.path === change.place.path))
          throw new Error(`The patch has two parts for "${change.place.shown}"; put all its changes into one.`);
        changes.push(change);
      }
    }
    return changes;
  }

  async function changesOf(file: FilePatch, signal: AbortSignal): Promise<readonly PlannedChange[]> {
    const path = file.kind === "add" ? file.path : (await locateFile(workspace, file.path, signal)).path;
    const state = await editor.read(path);
    const { place, bytes: before } = state;
    switch (file.kind) {
      case "add":
        if (before !== null) throw existsError(place, 'use "*** Update File" to change it');
        return [{ place, before, after: changedBytes(state, () => file.text) }];
      case "delete":
        // A file that is no text cannot be shown, and so is not deleted.
        changedBytes(state, (text) => text ?? "");
        return [{ place, before, after: null, mode: state.mode }];
      case "update": {
        const text = decodedText(before, place.shown) ?? "";
        const applied = await applyHunks(text, file.hunks, place.shown, signal);
        const after = changedBytes(state, () => applied);
        return file.to === undefined ? [{ place, before, after }] : moved(state, file.to, after);
      }
    }
  }

  /** The new file comes first: until it is there, the old one stays. */
  async function moved(from: FileState, path: string, after: Buffer): Promise<readonly PlannedChange[]> {
    const to = await editor.read(path);
    const { place, bytes, mode } = from;
    if (to.bytes !== null) throw existsError(to.place, `"${place.shown}" cannot be moved there`);
    const source = bytes === null ? {} : { movedFrom: { place, bytes } };
    return [
      { place: to.place, before: null, after, mode, ...source },
      { place, before: bytes, after: null, mode },
    ];
  }
}

const existsError = ({ shown }: WorkspacePath, advice: string): Error =>
  new Error(`"${shown}" already exists; ${advice}.`);

/** What became of a file; nothing for one that was moved, of which its new place tells. */
function lineOf({ place, before, after, movedFrom }: PlannedChange, all: readonly PlannedChange[]): readonly string[] {
  if (movedFrom !== undefined) return [`Moved "${movedFrom.place.shown}" to "${place.shown}".`];
  if (all.some((other) => other.movedFrom?.place.path === place.path)) return [];
  if (after === null) return [`Deleted "${place.shown}".`];
  return [before === null ? `Added "${place.shown}".` : `Changed "${place.shown}".`];
}
