import { useLayoutEffect } from "preact/hooks";
import { canUndo, draft } from "./draft.ts";
import { changeBetween } from "./text-change.ts";

/** A longer change is made at once, and cannot be undone: the browser would need seconds. */
const MAX_UNDOABLE = 10_000;

/** Keeps the draft in the text box, with the browser's own undo for what the page writes into it while the user does. */
export function useDraftText(textBox: { readonly current: HTMLTextAreaElement | null }): void {
  useLayoutEffect(() => {
    const { current } = textBox;
    const text = draft.value;
    if (current === null || current.value === text) return;
    const { start, end, middle } = changeBetween(current.value, text);
    const isFocused = document.activeElement === current;
    if (!canUndo() || !isFocused || middle.length > MAX_UNDOABLE) {
      current.value = text;
      return;
    }
    current.setSelectionRange(start, end);
    // The only way to change a text so that the browser can undo it. It is not going away.
    const isDone = middle === "" ? document.execCommand("delete") : document.execCommand("insertText", false, middle);
    if (!isDone || current.value !== text) current.value = text;
  }, [draft.value]);
}
