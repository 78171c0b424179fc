import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type {
  ChangedFile,
  ChangedHunk,
  CommandChange,
  SelectedFile,
  UndoneEdits,
  WrittenLines,
} from "../../../shared/contract/edits.ts";
import { invalidParams, messageOf } from "../../../shared/contract/errors.ts";
import { EditsFile } from "../../../shared/contract/requests.ts";
import type { FileEditor } from "../../tools/index.ts";
import type { CommandChanges } from "../store/records/command-changes.ts";
import { CHANGES, type EditJournal, type EditSource, type JournaledEdit } from "../store/records/edit-journal.ts";
import type { KeptFile, KeptFiles } from "../store/records/kept-files.ts";
import { baseWith, type ChangedText, changedText, type TeamHunk, withoutHunks } from "./merge/changed-text.ts";
import { type FileText, fileBytes, fileText, isSameText } from "./merge/file-text.ts";
import { isRedo } from "./undo-plan.ts";

/** What to undo: hunks or files, everything, or what was changed after an event. */
export type UndoWanted =
  | { readonly kind: "files"; readonly files: readonly SelectedFile[] }
  | { readonly kind: "all" }
  | { readonly kind: "after"; readonly seq: number };

export interface UndoOptions {
  /** Undo also where others have changed the same lines. */
  readonly overwrite?: boolean | undefined;
  /** Change nothing, and tell what would be restored and left. */
  readonly dryRun?: boolean | undefined;
}

/** The edits of one file, and what is kept of them. */
interface EditedPath {
  readonly path: string;
  readonly shown: string;
  readonly edits: readonly JournaledEdit[];
  readonly kept: KeptFile | undefined;
}

interface Left {
  readonly path: string;
  readonly reason: string;
}

/** The journal and what else is stored about what teams do to files. */
export interface ChangeRecords {
  readonly edits: EditJournal;
  readonly kept: KeptFiles;
  readonly commandChanges: CommandChanges;
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
  async list(key: number): Promise<{ readonly files: ChangedFile[]; readonly commands: CommandChange[] }> {
    const files: ChangedFile[] = [];
    for (const file of this.#edited(key)) {
      const changed = await this.#changed(key, file);
      if (changed !== undefined && changed.hunks.length > 0) files.push(describeFile(file, changed));
      await setImmediate();
    }
    const commands = this.#records.commandChanges.all(key).map(({ shown, path, ...change }) => ({
      ...change,
      path: shown,
      uri: pathToFileURL(path).href,
    }));
    return { files, commands };
  }

  /** @throws GavelError `InvalidParams` for a file that the team has not edited. */
  async file(key: number, path: string) {
    const file = this.#edited(key).find(({ shown }) => shown === path);
    const changed = file === undefined ? undefined : await this.#changed(key, file);
    if (changed === undefined) {
      throw invalidParams(EditsFile.method, [{ path: "path", message: "the team has not edited this file" }]);
    }
    const { base, now, hunks, marks } = changed;
    return { base: textOf(base), now: textOf(now), hunks: hunks.map(describeHunk), written: writtenLines(marks) };
  }

  /** Keeps all changes, or those of some files or hunks. */
  async keep(
    key: number,
    files?: readonly SelectedFile[],
  ): Promise<{ readonly kept: string[]; readonly left: Left[] }> {
    const kept: string[] = [];
    const left: Left[] = [];
    const edited = this.#edited(key);
    for (const file of edited) {
      const wanted = files?.find(({ path }) => path === file.shown);
      if (files !== undefined && wanted === undefined) continue;
      const reason = await this.#keep(key, file, wanted?.hunks);
      if (reason === undefined) kept.push(file.shown);
      else left.push({ path: file.shown, reason });
    }
    const commands = this.#records.commandChanges.all(key);
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

  /** Undoes changes; what others have changed in other lines is kept. The undo is a turn that can be undone itself. */
  async undo(key: number, undoId: string, wanted: UndoWanted, options: UndoOptions = {}): Promise<UndoneEdits> {
    const restored: string[] = [];
    const left: Left[] = [];
    const edited = this.#edited(key);
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
      file.path,
      ({ bytes, place }) => {
        if (place.path !== file.path) throw new Error(`"${shown}" is now a link to another file.`);
        const changed = this.#changedWith(key, file, fileText(bytes));
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
        return this.#records.edits.add(key, undo, { ...edit, shown });
      },
    );
    return { isRestored, reason };
  }

  async #changed(key: number, file: EditedPath): Promise<ChangedText | undefined> {
    const found = await this.#editor.read(file.path).catch(() => undefined);
    // The file is in no open folder, or a link has taken its place.
    if (found === undefined || found.place.path !== file.path) return undefined;
    return this.#changedWith(key, file, fileText(found.bytes));
  }

  #changedWith(key: number, { edits, kept }: EditedPath, now: FileText): ChangedText | undefined {
    const journal = this.#records.edits;
    const turns = edits.some(({ undoes }) => undoes !== undefined) ? journal.turns(key) : [];
    const contents = new Map<string, FileText | undefined>();
    const content = (hash: string | null): FileText | undefined => {
      if (hash === null) return null;
      if (!contents.has(hash)) contents.set(hash, journal.has(hash) ? fileText(journal.content(hash)) : undefined);
      return contents.get(hash);
    };
    return changedText({ edits, kept, now, content, isRedo: ({ undoes }) => isRedo(undoes, turns) });
  }

  /** Each file that the team has edited, sorted by name. */
  #edited(key: number): readonly EditedPath[] {
    const kept = this.#records.kept.all(key);
    const files = new Map<string, JournaledEdit[]>();
    for (const edit of this.#records.edits.edits(key)) {
      const edits = files.get(edit.path) ?? [];
      edits.push(edit);
      files.set(edit.path, edits);
    }
    return [...files]
      .map(([path, edits]) => ({ path, shown: edits.at(-1)?.shown ?? path, edits, kept: kept.get(path) }))
      .sort((a, b) => (a.shown < b.shown ? -1 : 1));
  }
}

/** The files to undo, with the edits that count, and the hunks if only some are wanted. */
function partsToUndo(
  edited: readonly EditedPath[],
  wanted: UndoWanted,
): readonly { readonly file: EditedPath; readonly hunks?: readonly string[] | undefined }[] {
  switch (wanted.kind) {
    case "all":
      return edited.map((file) => ({ file }));
    case "after":
      return edited.map((file) => ({ file: editsAfter(file, wanted.seq) })).filter(({ file }) => file.edits.length > 0);
    case "files":
      return edited.flatMap((file) => {
        const selected = wanted.files.find(({ path }) => path === file.shown);
        return selected === undefined ? [] : { file, hunks: selected.hunks };
      });
  }
}

/** The edits from the first one after an event on, as if there were no others. */
function editsAfter(file: EditedPath, seq: number): EditedPath {
  const first = file.edits.findIndex((edit) => edit.seq !== undefined && edit.seq > seq);
  return { ...file, edits: first === -1 ? [] : file.edits.slice(first), kept: undefined };
}

function firstUnkept({ edits, kept }: EditedPath): number | undefined {
  if (kept === undefined) return edits[0]?.id;
  return kept.base === null ? edits.find(({ id }) => id > kept.upTo)?.id : undefined;
}

const movedReason = (shown: string): string => `"${shown}" has changed meanwhile; look at its changes again.`;

function mixedReason(shown: string, wanted: readonly TeamHunk[], { now }: ChangedText): string {
  if (now === null) return `"${shown}" was deleted since.`;
  const mixed = wanted.filter(({ isMixed }) => isMixed);
  const places = mixed.map(({ to }) => to + 1).slice(0, 5);
  const where = `line${places.length === 1 ? "" : "s"} ${places.join(", ")}${mixed.length > 5 ? " and more" : ""}`;
  return `"${shown}" has changed since in the same place (${where}).`;
}

function describeFile({ path, shown, edits, kept }: EditedPath, { base, now, hunks }: ChangedText): ChangedFile {
  const wrote = new Set(hunks.flatMap((hunk) => hunk.edits));
  const teams = edits.filter(({ participant, id }) => participant !== undefined && id > (kept?.upTo ?? 0));
  const own = wrote.size > 0 ? edits.filter((edit) => wrote.has(edit)) : teams;
  return {
    path: shown,
    uri: pathToFileURL(path).href,
    change: base === null ? "created" : now === null ? "deleted" : "changed",
    added: hunks.reduce((sum, { to, toEnd }) => sum + toEnd - to, 0),
    removed: hunks.reduce((sum, { from, fromEnd }) => sum + fromEnd - from, 0),
    turns: [...new Set(own.map(({ turnId }) => turnId))],
    refs: refsOf(own),
    participants: participantsOf(own),
    mixed: hunks.some(({ isMixed }) => isMixed),
  };
}

const describeHunk = ({ id, from, fromEnd, to, toEnd, edits, isMixed }: TeamHunk): ChangedHunk => ({
  id,
  line: to,
  lines: toEnd - to,
  baseLine: from,
  baseLines: fromEnd - from,
  participants: participantsOf(edits),
  refs: refsOf(edits),
  mixed: isMixed,
});

const refsOf = (edits: readonly JournaledEdit[]): string[] => [...new Set(edits.flatMap(({ ref }) => ref ?? []))];

const participantsOf = (edits: readonly JournaledEdit[]): string[] => [
  ...new Set(edits.flatMap(({ participant }) => participant ?? [])),
];

function writtenLines(marks: ChangedText["marks"]): WrittenLines[] {
  const written: { line: number; lines: number; edit: JournaledEdit }[] = [];
  for (const [line, { by }] of marks.entries()) {
    if (by === undefined || by === "others") continue;
    const last = written.at(-1);
    if (last?.edit === by && last.line + last.lines === line) last.lines++;
    else written.push({ line, lines: 1, edit: by });
  }
  return written.flatMap(({ line, lines, edit: { participant, ref, at } }) =>
    participant === undefined ? [] : { line, lines, participant, ...(ref === undefined ? {} : { ref }), at },
  );
}

/** Null for a file that is no text. */
const textOf = (file: FileText): string | null =>
  file === null || file.encoding === "none" ? null : file.lines.join("");
