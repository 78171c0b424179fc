import { createHash } from "node:crypto";
import type { ToolContext } from "../../engine/tool.ts";
import { approvedPlace } from "../workspace/approved-places.ts";
import type { WorkspacePath } from "../workspace/workspace.ts";
import { changeReport, unsavedNote } from "./edit-report.ts";
import type { FileEditor, RewrittenFile } from "./file-editor.ts";
import { decodedText, isShownChange } from "./text-change.ts";

/** What is to become of a file's content; `null` means that the file does not exist. */
export interface PlannedChange {
  readonly place: WorkspacePath;
  readonly before: Buffer | null;
  readonly after: Buffer | null;
  /** The permission bits of a file that is created. */
  readonly mode?: number | undefined;
  /** Where its content comes from: of that file, there is another change, which deletes it. */
  readonly movedFrom?: { readonly place: WorkspacePath; readonly bytes: Buffer };
}

/** What a call that writes several files says when it did. */
interface ChangedTogether {
  /** In the order of the changes. */
  readonly files: readonly RewrittenFile[];
  /** Added to the result when a change is not saved yet; else empty. */
  readonly note: string;
}

/** The changes as the user is shown them: a file that is moved is one of them. */
export const previewOfChanges = (changes: readonly PlannedChange[]) => ({
  files: changes
    .filter(({ place }) => !changes.some(({ movedFrom }) => movedFrom?.place.path === place.path))
    .map(({ place, before, after, movedFrom }) => ({
      path: place.shown,
      file: place.path,
      before: movedFrom === undefined ? decodedText(before, place.shown) : decodedText(movedFrom.bytes, place.shown),
      after: decodedText(after, place.shown) ?? "",
      ...(after === null ? { deleted: true as const } : {}),
      ...(movedFrom === undefined ? {} : { movedFrom: { path: movedFrom.place.shown, file: movedFrom.place.path } }),
    })),
  digest: digestOfChanges(changes),
});

/** Of exactly these changes of exactly these contents. */
function digestOfChanges(changes: readonly PlannedChange[]): string {
  const hash = createHash("sha256");
  for (const { place, before, after } of changes) {
    hash.update(`${JSON.stringify(place.path)} ${before?.length ?? "new"} ${after?.length ?? "deleted"}\n`);
    if (before !== null) hash.update(before);
    if (after !== null) hash.update(after);
  }
  return hash.digest("hex");
}

/**
 * Changes files one after another, each only if it is still as it was read: all of them or, if one cannot be changed, none.
 * The user is shown each as a diff. `what` names all of it in errors, such as "this patch".
 * @throws Error for a file other than the approved ones, for other changes than the user was shown, and for the first that
 * cannot be made; it says which files could not be changed back.
 */
export async function changeTogether(
  editor: FileEditor,
  changes: readonly PlannedChange[],
  context: ToolContext,
  what: string,
): Promise<ChangedTogether> {
  for (const { place } of changes) approvedPlace(place, context);
  if (!isShownChange(digestOfChanges(changes), context))
    throw new Error(
      `The files have changed since the user was shown ${what}, so nothing was changed; read them and try again.`,
    );
  const files: RewrittenFile[] = [];
  for (const change of changes) {
    try {
      files.push(await changeOne(editor, change, context, context.signal));
    } catch (error) {
      const left = await takeBack(editor, changes.slice(0, files.length), context);
      if (left.length === 0) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`${why} These were changed before and could not be changed back: ${left.join(", ")}.`);
    }
  }
  for (const file of files) context.output(`${file.place.shown}\n${changeReport(file)}`);
  const unsaved = files.find(({ isUnsaved }) => isUnsaved);
  return { files, note: unsaved === undefined ? "" : unsavedNote(unsaved) };
}

function changeOne(
  editor: FileEditor,
  { place, before, after, mode }: PlannedChange,
  context: ToolContext,
  signal?: AbortSignal,
): Promise<RewrittenFile> {
  return editor.rewrite(
    { path: place.path, shown: place.shown, mode },
    ({ bytes }) => {
      if (isSame(bytes, before)) return after;
      throw new Error(`"${place.shown}" was changed just now, so nothing was changed; read it and try again.`);
    },
    (edit) => editor.log.plan(context, edit),
    signal,
  );
}

/** Changes files back, the last first. Returns those that could not be. */
async function takeBack(editor: FileEditor, done: readonly PlannedChange[], context: ToolContext): Promise<string[]> {
  const left: string[] = [];
  for (const change of done.toReversed()) {
    try {
      await changeOne(editor, { ...change, before: change.after, after: change.before }, context);
    } catch {
      left.push(change.place.shown);
    }
  }
  return left;
}

const isSame = (a: Buffer | null, b: Buffer | null): boolean => (a === null || b === null ? a === b : a.equals(b));
