import { randomUUID } from "node:crypto";
import type { EditedFile, EditedTurn, UndoneEdits } from "../../../shared/contract/edits.ts";
import { invalidParams, messageOf } from "../../../shared/contract/errors.ts";
import { EditsUndo } from "../../../shared/contract/requests.ts";
import type { FileEditor } from "../../tools/index.ts";
import {
  type EditJournal,
  type EditSource,
  hashOf,
  type JournaledFile,
  type JournaledTurn,
} from "../store/records/edit-journal.ts";
import { type ChangeRecords, storedText } from "./change-records.ts";
import type { UndoWanted } from "./edited-paths.ts";
import { type FileText, fileBytes, fileText, mergedFile } from "./merge/file-text.ts";
import { TeamChanges, type UndoOptions } from "./team-changes.ts";
import { filesNotUndone, lastTurnToUndo } from "./undo-plan.ts";
import { followMoves, type UserMove } from "./user-moves.ts";

const LISTED = 100;

/** The edits of teams to files, and their undo. An undo is recorded like an edit, so that it can be undone too. */
export class Edits {
  /** What is changed now, over all turns. */
  readonly changes: TeamChanges;
  readonly #records: ChangeRecords;
  readonly #journal: EditJournal;
  readonly #editor: FileEditor;

  constructor(records: ChangeRecords, editor: FileEditor) {
    this.changes = new TeamChanges(records, editor);
    this.#records = records;
    this.#journal = records.edits;
    this.#editor = editor;
  }

  /** The turns of a team that edited files, and their undos, the last edited first, at most 100. */
  async list(key: number): Promise<EditedTurn[]> {
    const turns = await this.#journal.turns(key);
    const left = filesNotUndone(turns);
    return turns.slice(0, LISTED).map((turn) => {
      const notUndone = new Set(left.get(turn.turnId));
      const { turnId, participant, undoes, at } = turn;
      return {
        turnId,
        at,
        ...(participant === undefined ? {} : { participant }),
        ...(undoes === undefined ? {} : { undoes }),
        files: turn.files.map((file) => ({
          path: file.shown,
          change: changeOf(file),
          undone: !notUndone.has(file),
          ...(file.refs.length === 0 ? {} : { refs: [...file.refs] }),
        })),
      };
    });
  }

  /**
   * Restores each file of a turn; changes since the turn in other lines are kept. A file with changes in the same lines is
   * skipped, with the reason; with `overwrite` it becomes as it was before the turn.
   * @throws GavelError `InvalidParams` when there is no such turn, or it is already undone.
   */
  async undo(key: number, turnId: string | undefined, options: UndoOptions = {}): Promise<UndoneEdits> {
    const turns = await this.#journal.turns(key);
    const turn = turnToUndo(turns, turnId);
    const undo: EditSource = { turnId: randomUUID(), undoes: turn.turnId };
    const restored: string[] = [];
    const left: { path: string; reason: string }[] = [];
    for (const file of filesNotUndone(turns).get(turn.turnId) ?? []) {
      try {
        await this.#restore(key, file, undo, options);
        restored.push(file.shown);
      } catch (error) {
        left.push({ path: file.shown, reason: messageOf(error) });
      }
    }
    const isDone = restored.length > 0 && options.dryRun !== true;
    return { turnId: turn.turnId, undoId: isDone ? undo.turnId : null, restored, left };
  }

  /** Restores some files or hunks, all, or what was changed after an event. */
  async undoChanges(key: number, wanted: UndoWanted, options: UndoOptions): Promise<UndoneEdits> {
    return this.changes.undo(key, randomUUID(), wanted, options);
  }

  /** Follows files and folders that the user has moved; see {@link followMoves}. */
  moved(moves: readonly UserMove[]): Promise<number> {
    return followMoves(this.#records, this.#editor, moves);
  }

  async #restore(key: number, file: JournaledFile, undo: EditSource, options: UndoOptions): Promise<void> {
    const { overwrite = false, dryRun = false } = options;
    const { shown, before, after, isBroken } = file;
    await this.#editor.rewrite(
      { path: file.path, shown },
      async ({ bytes, place }) => {
        // The file or a folder above it may have been replaced by a link.
        if (place.path !== file.path) throw new Error(`"${shown}" is now a link to another file.`);
        const now = hashOf(bytes);
        if (now === before) {
          if (dryRun) return undefined;
          await this.#journal.add(key, undo, { path: file.path, shown, before: bytes, after: bytes });
          return undefined;
        }
        const merged =
          (now === after && !isBroken) || overwrite ? undefined : await this.#withoutTurn(file, fileText(bytes));
        if (dryRun) return undefined;
        if (merged !== undefined) return fileBytes(merged);
        return before === null ? null : this.#journal.needed(before);
      },
      (edit) => this.#journal.add(key, undo, edit),
    );
  }

  /** The file without the turn's edits, one by one. @throws Error when others have changed the same lines. */
  async #withoutTurn({ shown, edits, isBroken }: JournaledFile, now: FileText): Promise<FileText> {
    let text: FileText | undefined = now;
    for (const { before, after } of edits.toReversed()) {
      const [from, to] = [await storedText(this.#journal, after), await storedText(this.#journal, before)];
      if (text === undefined || from === undefined || to === undefined) text = undefined;
      else text = mergedFile(from, to, text);
    }
    if (text !== undefined) return text;
    const how = isBroken ? "was also changed outside the turn while it ran" : "has changed since the turn";
    throw new Error(`"${shown}" ${how}.`);
  }
}

function turnToUndo(turns: readonly JournaledTurn[], turnId: string | undefined): JournaledTurn {
  const turn = turnId === undefined ? lastTurnToUndo(turns) : turns.find((each) => each.turnId === turnId);
  const path = turnId === undefined ? "" : "turnId";
  if (turn === undefined) {
    const message = turnId === undefined ? "there is no edit to undo" : "no turn with this id can be undone";
    throw invalidParams(EditsUndo.method, [{ path, message }]);
  }
  if ((filesNotUndone(turns).get(turn.turnId)?.length ?? 0) > 0) return turn;
  throw invalidParams(EditsUndo.method, [{ path, message: "this turn is already undone" }]);
}

function changeOf({ before, after }: JournaledFile): EditedFile["change"] {
  if (before === null) return "created";
  return after === null ? "deleted" : "changed";
}
