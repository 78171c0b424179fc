import { changeText } from "../text/change-text.ts";
import type { RewrittenFile } from "./file-editor.ts";
import { decodedText } from "./text-change.ts";

/** What changed, for the user to read; empty when nothing did. */
export function changeReport({ place, before, after }: RewrittenFile): string {
  const [old, fresh] = [decodedText(before, place.shown) ?? "", decodedText(after, place.shown) ?? ""];
  return old === fresh ? "" : changeText(old, fresh);
}

/** What a model is told after the result when the change is not in the file yet. */
export function unsavedNote({ isUnsaved }: RewrittenFile): string {
  return isUnsaved ? " The file has unsaved changes: it is changed in the editor and not saved." : "";
}
