import { diffText } from "../text/change-text.ts";
import type { RewrittenFile } from "./file-editor.ts";
import { decodedText } from "./text-change.ts";

/** The change as a diff for the user; empty when nothing changed. */
export function changeReport({ place, before, after }: RewrittenFile): string {
  const [old, fresh] = [decodedText(before, place.shown) ?? "", decodedText(after, place.shown) ?? ""];
  return old === fresh ? "" : diffText(old, fresh);
}

/** Added to the result when the change is not saved yet. */
export function unsavedNote({ isUnsaved }: RewrittenFile): string {
  return isUnsaved ? " The file had unsaved changes, so the change was made in the editor and is not saved yet." : "";
}
