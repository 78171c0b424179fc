import type { ChangedFile } from "../../shared/contract/edits.ts";

/** How many lines were added and removed: `+12 −3`. */
export const countsText = ({ added, removed }: Pick<ChangedFile, "added" | "removed">): string =>
  `+${added.toLocaleString()} −${removed.toLocaleString()}`;

/** The counts of all files together. */
export function totalOf(
  files: readonly Pick<ChangedFile, "added" | "removed">[],
): Pick<ChangedFile, "added" | "removed"> {
  return {
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
  };
}
