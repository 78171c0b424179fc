import type { SQLInputValue } from "node:sqlite";
import { type GavelError, storageError, teamBusyElsewhere } from "../../../shared/contract/errors.ts";
import type { CutText } from "./cut-texts.ts";

/** Texts of an event, or of a checkpoint, that are stored apart from it. */
export interface TextsRow {
  readonly team: number;
  readonly seq: number;
  readonly texts: readonly CutText[];
}

/** A statement with the values of its parameters. */
export type Statement = readonly [sql: string, ...values: readonly SQLInputValue[]];

/** What an edit of a file stores. */
export interface EditRow {
  readonly team: number;
  readonly turnId: string;
  readonly participant: string | null;
  readonly undoes: string | null;
  readonly ref: string | null;
  readonly at: string;
  readonly path: string;
  readonly shown: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  /** The team's last event when the edit was planned; null for the user's own, such as an undo. */
  readonly eventSeq: number | null;
  /** In an undo of all edits of the file from one on, the id of that one. */
  readonly since: number | null;
  /** Hashes of the contents; null for no file. */
  readonly beforeHash: string | null;
  readonly afterHash: string | null;
  /** How many bytes of contents are kept, for all teams; beyond it the oldest turns can no longer be undone. */
  readonly maxKept: number;
}

/** An event of a team with what is written with it, or what is stored between events. */
export type TeamRow = EventRow | { readonly kind: "other"; readonly statement: Statement };

export interface EventRow {
  readonly kind: "event";
  readonly seq: number;
  readonly json: string;
  /** Those that were cut out of the JSON. */
  readonly texts: readonly CutText[];
  readonly following: readonly Statement[];
}

/**
 * One write: all of it is stored, or nothing. It is plain data, because it is carried out in another thread.
 * - `open` opens the store, and makes, repairs or migrates it where needed; returns what the user has to know of that.
 * - `run` returns how many rows the last statement changed; `texts` are stored after the statements. With `ifHas` nothing is
 *   done if another host has taken that team.
 * - `team` stores what a team's journal has collected after the event `after`, which it knows to be stored; with `claim`
 *   only if this host runs the team or can, and after `creation` if there is no such team. An event that is stored already,
 *   as a thread may end before it says what it has stored, is left as it is.
 * - `claim` makes this host the one that runs the team; false if another one does. `fromDead`: only if the host that ran it
 *   has died.
 * - `edit` stores an edit of a file, and returns the row's and its turn's ids.
 */
export type Write =
  | { readonly kind: "open" }
  | {
      readonly kind: "run";
      readonly statements: readonly Statement[];
      readonly texts?: TextsRow;
      readonly ifHas?: number;
    }
  | {
      readonly kind: "team";
      readonly team: number;
      readonly creation?: readonly Statement[];
      readonly claim: boolean;
      readonly after: number;
      readonly rows: readonly TeamRow[];
    }
  | { readonly kind: "claim"; readonly team: number; readonly fromDead: boolean }
  | { readonly kind: "release"; readonly team: number }
  | { readonly kind: "edit"; readonly edit: EditRow };

export interface WriteResults {
  readonly open: readonly string[];
  readonly run: number;
  readonly team: null;
  readonly claim: boolean;
  readonly release: null;
  readonly edit: { readonly id: number; readonly turn: number };
}

/**
 * Why a write failed. `conflict`: not the storage failed, but another host has the team, has written its next event, or has
 * deleted it.
 */
export interface WriteFailure {
  readonly message: string;
  readonly conflict: boolean;
}

export type Outcome = { readonly value: WriteResults[Write["kind"]] } | { readonly failure: WriteFailure };

/** The failure of a write as an error for the user. */
export const failureError = ({ message, conflict }: WriteFailure, teamId?: string): GavelError =>
  conflict && teamId !== undefined ? teamBusyElsewhere(teamId) : storageError(message);

/** Carries out writes, in their order. */
export interface Writer {
  /** The outcome of each write. Never rejects. The next batch is given when this has resolved. */
  execute(batch: readonly Write[]): Promise<readonly Outcome[]>;
  /** Carries out the last writes and closes the store, while the caller waits: its process may end. Never throws. */
  finish(batch: readonly Write[]): void;
}
