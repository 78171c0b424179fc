import * as z from "zod";

/** One file that a turn wrote, from before its first edit of it to after its last. */
export const EditedFile = z.object({
  /** Relative to the workspace. */
  path: z.string(),
  change: z.enum(["created", "changed", "deleted"]),
  /** It has been restored since. */
  undone: z.boolean(),
  /** The tool calls that wrote it; left out for an undo. */
  refs: z.array(z.string()).optional(),
});
export type EditedFile = z.infer<typeof EditedFile>;

/**
 * What one turn of a participant did to files, or an undo of that. `undoes` names the undone turn, or is `changes` for an
 * undo of what several turns did; undoing an undo is a redo.
 */
export const EditedTurn = z.object({
  turnId: z.string(),
  /** The participant whose turn it was; absent for an undo, which is the user's. */
  participant: z.string().optional(),
  undoes: z.string().optional(),
  at: z.string(),
  files: z.array(EditedFile),
});
export type EditedTurn = z.infer<typeof EditedTurn>;

/** The outcome of an undo, file by file. */
export const UndoneEdits = z.object({
  /** What was undone: a turn, or `changes`. */
  turnId: z.string(),
  /** The id of the undo, which can itself be undone; null when no file could be restored. */
  undoId: z.string().nullable(),
  restored: z.array(z.string()),
  /** The files that were not restored, each with the reason in a sentence. */
  left: z.array(z.object({ path: z.string(), reason: z.string() })),
});
export type UndoneEdits = z.infer<typeof UndoneEdits>;

/** A file that a team has changed, and the user has not kept yet. What the user changed in other lines is not counted. */
export const ChangedFile = z.object({
  /** Relative to the workspace. */
  path: z.string(),
  uri: z.string(),
  change: z.enum(["created", "changed", "deleted"]),
  /** How many lines the team has added and removed. */
  added: z.number().int(),
  removed: z.number().int(),
  /** The turns and tool calls that changed it, and whose turns they were. */
  turns: z.array(z.string()),
  refs: z.array(z.string()),
  participants: z.array(z.string()),
  /** The user, or a command, has changed some of the same lines, or deleted the file. */
  mixed: z.boolean(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

/** A turn that wrote or removed lines that the user has not kept yet, with how many in each file. */
export const ChangedTurn = z.object({
  turnId: z.string(),
  participant: z.string(),
  at: z.string(),
  refs: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), added: z.number().int(), removed: z.number().int() })),
});
export type ChangedTurn = z.infer<typeof ChangedTurn>;

/** A file that changed while a command of the team ran. It cannot be undone. */
export const CommandChange = z.object({
  path: z.string(),
  uri: z.string(),
  change: z.enum(["created", "changed", "deleted"]),
  /** The former path of a created file that the command moved; that path is not listed as deleted. */
  from: z.string().optional(),
  participant: z.string(),
  ref: z.string(),
  command: z.string(),
  at: z.string(),
});
export type CommandChange = z.infer<typeof CommandChange>;

/** What the team changed in some lines of a file that follow each other. */
export const ChangedHunk = z.object({
  /** Names it as long as its lines stay as they are. */
  id: z.string(),
  /** Its first line in the file as it is now, from 0, and how many lines it has there; 0 where lines were only removed. */
  line: z.number().int(),
  lines: z.number().int(),
  /** The same in the base. */
  baseLine: z.number().int(),
  baseLines: z.number().int(),
  participants: z.array(z.string()),
  refs: z.array(z.string()),
  /** The user, or a command, has changed some of the same lines. */
  mixed: z.boolean(),
});
export type ChangedHunk = z.infer<typeof ChangedHunk>;

/** Lines that a tool call wrote, in the file as it is now. */
export const WrittenLines = z.object({
  line: z.number().int(),
  lines: z.number().int(),
  participant: z.string(),
  ref: z.string().optional(),
  at: z.string(),
});
export type WrittenLines = z.infer<typeof WrittenLines>;

/** A file to keep or undo: whole, or only some of its hunks. */
export const SelectedFile = z.strictObject({ path: z.string().min(1), hunks: z.array(z.string()).min(1).optional() });
export type SelectedFile = z.infer<typeof SelectedFile>;
