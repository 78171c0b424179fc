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
import { filesNotUndone, lastTurnToUndo } from "./undo-plan.ts";

const LISTED = 100;

/** The edits of teams to files, and their undo. An undo is recorded like an edit, so that it can be undone too. */
export class Edits {
  readonly #journal: EditJournal;
  readonly #editor: FileEditor;

  constructor(journal: EditJournal, editor: FileEditor) {
    this.#journal = journal;
    this.#editor = editor;
  }

  /** The turns of a team that edited files, and their undos, the last edited first, at most 100. */
  list(key: number): EditedTurn[] {
    const turns = this.#journal.turns(key);
    return turns.slice(0, LISTED).map((turn) => {
      const notUndone = new Set(filesNotUndone(turn, turns));
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
   * Restores each file of a turn that has not changed since the turn. Others are skipped, with the reason.
   * @throws GavelError `InvalidParams` when there is no such turn, or it is already undone.
   */
  async undo(key: number, turnId: string | undefined): Promise<UndoneEdits> {
    const turns = this.#journal.turns(key);
    const turn = turnToUndo(turns, turnId);
    const undo: EditSource = { turnId: randomUUID(), undoes: turn.turnId };
    const restored: string[] = [];
    const left: { path: string; reason: string }[] = [];
    for (const file of filesNotUndone(turn, turns)) {
      try {
        await this.#restore(key, file, undo);
        restored.push(file.shown);
      } catch (error) {
        left.push({ path: file.shown, reason: messageOf(error) });
      }
    }
    return { turnId: turn.turnId, undoId: restored.length === 0 ? null : undo.turnId, restored, left };
  }

  async #restore(key: number, file: JournaledFile, undo: EditSource): Promise<void> {
    const { shown, before, after, isBroken } = file;
    await this.#editor.rewrite(
      file.path,
      async ({ bytes, place }) => {
        // The file or a folder above it may have been replaced by a link.
        if (place.path !== file.path) throw new Error(`"${shown}" is now a link to another file.`);
        const now = hashOf(bytes);
        if (now === before) {
          await this.#journal.add(key, undo, { path: file.path, shown, before: bytes, after: bytes });
          return undefined;
        }
        if (isBroken) throw new Error(`"${shown}" was also changed outside the turn while it ran.`);
        if (now !== after) throw new Error(`"${shown}" has changed since the turn.`);
        return before === null ? null : this.#journal.content(before);
      },
      (edit) => this.#journal.add(key, undo, edit),
    );
  }
}

function turnToUndo(turns: readonly JournaledTurn[], turnId: string | undefined): JournaledTurn {
  const turn = turnId === undefined ? lastTurnToUndo(turns) : turns.find((each) => each.turnId === turnId);
  const path = turnId === undefined ? "" : "turnId";
  if (turn === undefined) {
    const message = turnId === undefined ? "there is no edit to undo" : "no turn with this id can be undone";
    throw invalidParams(EditsUndo.method, [{ path, message }]);
  }
  if (filesNotUndone(turn, turns).length > 0) return turn;
  throw invalidParams(EditsUndo.method, [{ path, message: "this turn is already undone" }]);
}

function changeOf({ before, after }: JournaledFile): EditedFile["change"] {
  if (before === null) return "created";
  return after === null ? "deleted" : "changed";
}
