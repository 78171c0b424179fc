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
 * What one turn of a participant did to files, or an undo of that. `undoes` names the undone turn; undoing an undo is a
 * redo.
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
  /** What was undone. */
  turnId: z.string(),
  /** The id of the undo, which can itself be undone; null when no file could be restored. */
  undoId: z.string().nullable(),
  restored: z.array(z.string()),
  /** The files that were not restored, each with the reason in a sentence. */
  left: z.array(z.object({ path: z.string(), reason: z.string() })),
});
export type UndoneEdits = z.infer<typeof UndoneEdits>;
