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
} from "../store/edit-journal.ts";
import { filesNotUndone, lastTurnToUndo } from "./undo-plan.ts";

const LISTED = 100;

/** What teams did to files, and the undo of it. An undo is written down as an edit is, so that it can be undone too. */
export class Edits {
  readonly #journal: EditJournal;
  readonly #editor: FileEditor;

  constructor(journal: EditJournal, editor: FileEditor) {
    this.#journal = journal;
    this.#editor = editor;
  }

  /** The turns of a team that wrote files and the undos of them, the last edited first, at most 100. */
  list(key: number): EditedTurn[] {
    const turns = this.#journal.turns(key);
    return turns.slice(0, LISTED).map((turn) => {
      const standing = new Set(filesNotUndone(turn, turns));
      const { turnId, participant, undoes, at } = turn;
      return {
        turnId,
        at,
        ...(participant === undefined ? {} : { participant }),
        ...(undoes === undefined ? {} : { undoes }),
        files: turn.files.map((file) => ({ path: file.shown, change: changeOf(file), undone: !standing.has(file) })),
      };
    });
  }

  /**
   * Puts each file of a turn back to what it was before, where it is still as the turn left it. Others are left, with the reason.
   * @throws GavelError `InvalidParams` when there is no such turn, or nothing of it stands.
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
      ({ bytes, place }) => {
        // A link may have taken the place of the file, or of a folder above it.
        if (place.path !== file.path) throw new Error(`"${shown}" is another file now.`);
        const now = hashOf(bytes);
        if (now === before) {
          this.#journal.add(key, undo, { path: file.path, shown, before: bytes, after: bytes });
          return undefined;
        }
        if (isBroken) throw new Error(`"${shown}" was also changed by somebody else during the turn.`);
        if (now !== after) throw new Error(`"${shown}" was changed since.`);
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
    const message = turnId === undefined ? "there is no edit to undo" : "no turn that can be undone has this id";
    throw invalidParams(EditsUndo.method, [{ path, message }]);
  }
  if (filesNotUndone(turn, turns).length > 0) return turn;
  throw invalidParams(EditsUndo.method, [{ path, message: "the edits of this turn are undone already" }]);
}

function changeOf({ before, after }: JournaledFile): EditedFile["change"] {
  if (before === null) return "created";
  return after === null ? "deleted" : "changed";
}
