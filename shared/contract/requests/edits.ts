import * as z from "zod";
import {
  ChangedFile,
  ChangedHunk,
  ChangedTurn,
  CommandChange,
  EditedTurn,
  SelectedFile,
  UndoneEdits,
  WrittenLines,
} from "../edits.ts";
import { request } from "../message-type.ts";
import { ofTeam, teamId } from "./params.ts";

/** Lists the turns that edited files and can be undone, the last edited first. */
export const EditsList = request("edits/list", ofTeam, z.object({ turns: z.array(EditedTurn) }));

/**
 * Restores what the team changed: in one turn, in some files or hunks, in all files, or after an event. Without any of
 * these, in the last turn that is not undone. What the user changed in other lines is kept; a file with changes in the same
 * lines is left as it is and named, unless `overwrite` is set. `TeamBusy` while the team runs.
 */
export const EditsUndo = request(
  "edits/undo",
  z
    .strictObject({
      teamId,
      turnId: z.string().optional(),
      files: z.array(SelectedFile).optional(),
      all: z.literal(true).optional(),
      after: z.number().int().min(0).optional(),
      overwrite: z.boolean().optional(),
      dryRun: z.boolean().optional(),
    })
    .refine(
      ({ turnId, files, all, after }) => [turnId, files, all, after].filter((one) => one !== undefined).length < 2,
      {
        message: "give only one of turnId, files, all and after",
      },
    ),
  UndoneEdits,
);

/** Lists the files that the team has changed and the user has not kept yet, and those that changed while a command ran. */
export const EditsChanges = request(
  "edits/changes",
  ofTeam,
  z.object({ files: z.array(ChangedFile), turns: z.array(ChangedTurn), commands: z.array(CommandChange) }),
);

/**
 * Tells what the team changed in one file. `base` is the text without that, `now` the text as it is, unsaved changes
 * included; null for no file, or one that is no text. `written` says who wrote lines, also of changes that are kept.
 */
export const EditsFile = request(
  "edits/file",
  z.strictObject({ teamId, path: z.string().min(1) }),
  z.object({
    base: z.string().nullable(),
    now: z.string().nullable(),
    hunks: z.array(ChangedHunk),
    written: z.array(WrittenLines),
  }),
);

const MovedUri = z.string().max(10_000);

/**
 * Tells that the user has moved files or folders, once they are moved: what teams have changed in them is listed, kept and
 * undone where they are now. `moved` counts the files that teams had changed.
 */
export const EditsMoved = request(
  "edits/moved",
  z.strictObject({ files: z.array(z.strictObject({ oldUri: MovedUri, newUri: MovedUri })).max(1000) }),
  z.object({ moved: z.number().int() }),
);

/** Keeps what the team changed, in all files, in some files or hunks, or in a turn: it is no longer listed as a change. */
export const EditsKeep = request(
  "edits/keep",
  z
    .strictObject({ teamId, turnId: z.string().optional(), files: z.array(SelectedFile).optional() })
    .refine(({ turnId, files }) => turnId === undefined || files === undefined, {
      message: "give only one of turnId and files",
    }),
  z.object({ kept: z.array(z.string()), left: z.array(z.object({ path: z.string(), reason: z.string() })) }),
);
