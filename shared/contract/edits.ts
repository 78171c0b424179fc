import * as z from "zod";

/** One file that a turn wrote, from before its first edit of it to after its last. */
export const EditedFile = z.object({
  /** As the user knows it: relative to the workspace. */
  path: z.string(),
  change: z.enum(["created", "changed", "deleted"]),
  /** It has been put back since. */
  undone: z.boolean(),
});
export type EditedFile = z.infer<typeof EditedFile>;

/** What one turn of a participant did to files, or an undo of that: `undoes` names what it undid, and undoing it is the redo. */
export const EditedTurn = z.object({
  turnId: z.string(),
  /** Whose turn it was; none for an undo, which is the user's. */
  participant: z.string().optional(),
  undoes: z.string().optional(),
  at: z.string(),
  files: z.array(EditedFile),
});
export type EditedTurn = z.infer<typeof EditedTurn>;

/** What an undo did, file by file. */
export const UndoneEdits = z.object({
  /** What was undone. */
  turnId: z.string(),
  /** The undo itself, to be undone in its turn; null when no file could be put back. */
  undoId: z.string().nullable(),
  restored: z.array(z.string()),
  /** The files that were left as they are, each with the reason in a sentence. */
  left: z.array(z.object({ path: z.string(), reason: z.string() })),
});
export type UndoneEdits = z.infer<typeof UndoneEdits>;
