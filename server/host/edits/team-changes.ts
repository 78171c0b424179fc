import { setImmediate } from "node:timers/promises";
import type { SelectedFile, UndoneEdits } from "../../../shared/contract/edits.ts";
import { invalidParams, messageOf } from "../../../shared/contract/errors.ts";
import type { ResultOf } from "../../../shared/contract/message-type.ts";
import { type EditsChanges, EditsFile } from "../../../shared/contract/requests.ts";
import type { FileEditor } from "../../tools/index.ts";
import { CHANGES, type EditSource } from "../store/records/edit-journal.ts";
import { type ChangeRecords, storedText } from "./change-records.ts";
import {
  changedTurns,
  describeCommandChange,
  describeFile,
  describeHunk,
  textOf,
  writtenLines,
} from "./describe-changes.ts";
import { type EditedPath, editedPaths, firstUnkept, partsToUndo, type UndoWanted } from "./edited-paths.ts";
import { baseWith, type ChangedText, changedText, type TeamHunk, withoutHunks } from "./merge/changed-text.ts";
import { type FileText, fileBytes, fileText, isSameText } from "./merge/file-text.ts";
import { isRedo } from "./undo-plan.ts";

export interface UndoOptions {
  /** Undo also where others have changed the same lines. */
  readonly overwrite?: boolean | undefined;
  /** Change nothing, and tell what would be restored and left. */
  readonly dryRun?: boolean | undefined;
}

interface Left {
  readonly path: string;
  readonly reason: string;
}

/** What teams have changed in files, and the user has not kept yet. */
export class TeamChanges {
  readonly #records: ChangeRecords;
  readonly #editor: FileEditor;

  constructor(records: ChangeRecords, editor: FileEditor) {
    this.#records = records;
    this.#editor = editor;
  }

  /** The changed files of a team, sorted by their names. */
  async list(key: number): Promise<ResultOf<typeof EditsChanges>> {
    const files: { readonly file: EditedPath; readonly shown: string; readonly changed: ChangedText }[] = [];
    for (const file of await editedPaths(this.#records, key)) {
      const changed = await this.#changed(key, file);
      if (changed !== undefined && changed.hunks.length > 0) files.push({ file, shown: file.shown, changed });
      await setImmediate();
    }
    return {
      files: files.map(({ file, changed }) => describeFile(file, changed)),
      turns: [...changedTurns(files)],
      commands: (await this.#records.commandChanges.all(key)).map(describeCommandChange),
    };
  }

  /**
   * What the team changed in a file; without any such change, what has changed in it since a command moved it.
   * @throws GavelError `InvalidParams` for another file.
   */
  async file(key: number, path: string): Promise<ResultOf<typeof EditsFile>> {
    const file = (await editedPaths(this.#records, key)).find(({ shown }) => shown === path);
    const changed = file === undefined ? undefined : await this.#changed(key, file);
    const moved = (changed?.hunks.length ?? 0) > 0 ? undefined : await this.#moved(key, path);
    const found = changed ?? moved;
    if (found === undefined) {
      throw invalidParams(EditsFile.method, [{ path: "path", message: "the team has not edited this file" }]);
    }
    const { now } = found;
    const { hunks, marks } = changed ?? { hunks: [], marks: [] };
    const base = moved === undefined ? found.base : moved.base;
    return { base: textOf(base), now: textOf(now), hunks: hunks.map(describeHunk), written: writtenLines(marks) };
  }

  /** Keeps all changes, or those of some files or hunks. */
  async keep(
    key: number,
    files?: readonly SelectedFile[],
  ): Promise<{ readonly kept: string[]; readonly left: Left[] }> {
    const kept: string[] = [];
    const left: Left[] = [];
    const edited = await editedPaths(this.#records, key);
    for (const file of edited) {
      const wanted = files?.find(({ path }) => path === file.shown);
      if (files !== undefined && wanted === undefined) continue;
      const reason = await this.#keep(key, file, wanted?.hunks);
      if (reason === undefined) kept.push(file.shown);
      else left.push({ path: file.shown, reason });
    }
    const commands = await this.#records.commandChanges.all(key);
    const listed = commands.filter(
      ({ shown }) => files === undefined || files.some(({ path, hunks }) => path === shown && hunks === undefined),
    );
    await this.#records.commandChanges.drop(
      key,
      listed.map(({ path }) => path),
    );
    const known = new Set([...edited, ...listed].map(({ shown }) => shown));
    kept.push(...listed.flatMap(({ shown }) => (kept.includes(shown) ? [] : shown)));
    for (const { path } of files ?? [])
      if (!known.has(path)) left.push({ path, reason: `The team has not changed "${path}".` });
    return { kept, left };
  }

  /** Keeps the hunks that have lines of a turn. */
  async keepTurn(key: number, turnId: string): Promise<{ readonly kept: string[]; readonly left: Left[] }> {
    const files: SelectedFile[] = [];
    for (const file of await editedPaths(this.#records, key)) {
      const changed = await this.#changed(key, file);
      const own = changed?.hunks.filter(({ edits }) => edits.some((edit) => edit.turnId === turnId)) ?? [];
      if (own.length > 0) files.push({ path: file.shown, hunks: own.map(({ id }) => id) });
      await setImmediate();
    }
    return this.keep(key, files);
  }

  /** Undoes changes; what others have changed in other lines is kept. The undo is a turn that can be undone itself. */
  async undo(key: number, undoId: string, wanted: UndoWanted, options: UndoOptions = {}): Promise<UndoneEdits> {
    const restored: string[] = [];
    const left: Left[] = [];
    const edited = await editedPaths(this.#records, key);
    for (const { file, hunks } of partsToUndo(edited, wanted)) {
      try {
        const { isRestored, reason } = await this.#undo(key, file, undoId, hunks, options);
        if (isRestored) restored.push(file.shown);
        if (reason !== undefined) left.push({ path: file.shown, reason });
      } catch (error) {
        left.push({ path: file.shown, reason: messageOf(error) });
      }
    }
    if (wanted.kind === "files")
      for (const { path } of wanted.files)
        if (!edited.some(({ shown }) => shown === path))
          left.push({ path, reason: `"${path}" was not edited by the team, so it cannot be restored.` });
    const isDone = restored.length > 0 && options.dryRun !== true;
    return { turnId: CHANGES, undoId: isDone ? undoId : null, restored, left };
  }

  async #keep(key: number, file: EditedPath, ids: readonly string[] | undefined): Promise<string | undefined> {
    const { path, shown, edits } = file;
    const upTo = edits.at(-1)?.id ?? 0;
    if (ids === undefined) {
      await this.#records.kept.keep(key, path, upTo);
      return undefined;
    }
    const changed = await this.#changed(key, file);
    const hunks = changed?.hunks.filter(({ id }) => ids.includes(id)) ?? [];
    if (changed === undefined || hunks.length < ids.length) return movedReason(shown);
    const base = baseWith(changed, hunks);
    const [before, seen] = [fileBytes(base), fileBytes(changed.now)];
    if (isSameText(base, changed.now) || before === null || seen === null)
      await this.#records.kept.keep(key, path, upTo);
    else await this.#records.kept.keep(key, path, upTo, { base: before, seen });
    return undefined;
  }

  async #undo(
    key: number,
    file: EditedPath,
    undoId: string,
    ids: readonly string[] | undefined,
    { overwrite = false, dryRun = false }: UndoOptions,
  ): Promise<{ readonly isRestored: boolean; readonly reason?: string | undefined }> {
    const { shown } = file;
    const source: EditSource = { turnId: undoId, undoes: CHANGES };
    let isWhole = false;
    let isRestored = false;
    let reason: string | undefined;
    await this.#editor.rewrite(
      { path: file.path, shown },
      async ({ bytes, place }) => {
        if (place.path !== file.path) throw new Error(`"${shown}" is now a link to another file.`);
        const changed = await this.#changedWith(key, file, fileText(bytes));
        if (changed === undefined) throw new Error(`What "${shown}" was before is no longer stored.`);
        const wanted = ids === undefined ? changed.hunks : changed.hunks.filter(({ id }) => ids.includes(id));
        if (wanted.length < (ids?.length ?? 0)) throw new Error(movedReason(shown));
        const undone = wanted.filter(({ isMixed }) => overwrite || !isMixed);
        if (undone.length < wanted.length) reason = mixedReason(shown, wanted, changed);
        if (undone.length === 0) return undefined;
        isRestored = true;
        const target = withoutHunks(changed, undone);
        isWhole = isSameText(target, changed.base);
        return dryRun ? undefined : fileBytes(target);
      },
      (edit) => {
        const since = isWhole ? firstUnkept(file) : undefined;
        const undo = since === undefined ? source : { ...source, since };
        return this.#records.edits.add(key, undo, edit);
      },
    );
    return { isRestored, reason };
  }

  async #changed(key: number, file: EditedPath): Promise<ChangedText | undefined> {
    const now = await this.#read(file.path);
    if (now !== undefined) return this.#changedWith(key, file, now);
    return (await this.#isInPlace(file.path)) ? this.#asLast(key, file) : undefined;
  }

  /** A file that cannot be read as a text now, such as one that has become a folder: as the last edit left it. */
  async #asLast(key: number, file: EditedPath): Promise<ChangedText | undefined> {
    const last = await storedText(this.#records.edits, file.edits.at(-1)?.after ?? null);
    const changed = last === undefined ? undefined : await this.#changedWith(key, file, last);
    return changed && { ...changed, hunks: changed.hunks.map((hunk) => ({ ...hunk, isMixed: true })) };
  }

  /** False where the file is in no open folder, or a link has taken its place. */
  async #isInPlace(path: string): Promise<boolean> {
    const place = await this.#editor.locate(path).catch(() => undefined);
    return place?.path === path;
  }

  /** A file that a command moved, as it was then, and as it is; undefined for another one. */
  async #moved(key: number, shown: string): Promise<Pick<ChangedText, "base" | "now"> | undefined> {
    const moved = (await this.#records.commandChanges.all(key)).find((change) => change.shown === shown);
    if (moved?.from === undefined) return undefined;
    const { content } = moved;
    const base = await storedText(this.#records.edits, content ?? null);
    const now = await this.#read(moved.path);
    return now === undefined ? undefined : { base: base ?? null, now };
  }

  /** Undefined where the file is in no open folder, cannot be read, or a link has taken its place. */
  async #read(path: string): Promise<FileText | undefined> {
    const found = await this.#editor.read(path).catch(() => undefined);
    return found === undefined || found.place.path !== path ? undefined : fileText(found.bytes);
  }

  async #changedWith(key: number, { edits, kept }: EditedPath, now: FileText): Promise<ChangedText | undefined> {
    const journal = this.#records.edits;
    const turns = edits.some(({ undoes }) => undoes !== undefined) ? await journal.turns(key) : [];
    const contents = new Map<string | null, FileText | undefined>();
    const hashes = edits.flatMap(({ before, after }) => [before, after]);
    for (const hash of new Set([...hashes, kept?.base ?? null, kept?.seen ?? null]))
      contents.set(hash, await storedText(journal, hash));
    const content = (hash: string | null): FileText | undefined => contents.get(hash);
    return changedText({ edits, kept, now, content, isRedo: ({ undoes }) => isRedo(undoes, turns) });
  }
}

const movedReason = (shown: string): string => `"${shown}" has changed meanwhile; look at its changes again.`;

function mixedReason(shown: string, wanted: readonly TeamHunk[], { now }: ChangedText): string {
  if (now === null) return `"${shown}" was deleted since.`;
  const mixed = wanted.filter(({ isMixed }) => isMixed);
  const places = mixed.map(({ to }) => to + 1).slice(0, 5);
  const where = `line${places.length === 1 ? "" : "s"} ${places.join(", ")}${mixed.length > 5 ? " and more" : ""}`;
  return `"${shown}" has changed since in the same place (${where}).`;
}
