import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { announce } from "../../state/announcements.ts";
import { post } from "../../state/editor-bridge.ts";
import { draft } from "../draft.ts";
import type { CompletionOption } from "./completion-list.tsx";
import { listLabels, optionsFor } from "./completion-options.ts";
import { triggerAt } from "./triggers.ts";

/** The list that opens at `@`, `#` and `/`, and its keys. */
export function useCompletion(textBox: { readonly current: HTMLTextAreaElement | null }) {
  const [caret, setCaret] = useState(-1);
  const [chosen, setChosen] = useState(0);
  const nextCaret = useRef<number | null>(null);
  const trigger = caret < 0 ? null : triggerAt(draft.value, caret);
  const moveCaret = (to: number): void => {
    nextCaret.current = to;
  };
  const options = trigger === null ? [] : optionsFor(trigger, moveCaret);
  const query = trigger?.kind === "context" ? trigger.typed : null;
  const open = options.length > 0;
  const wantsOffers = trigger !== null && trigger.kind !== "mention";
  useEffect(() => {
    if (wantsOffers) post({ type: "listOffers" });
  }, [wantsOffers]);
  useEffect(() => {
    if (query !== null) post({ type: "searchFiles", query });
  }, [query]);
  useEffect(() => {
    if (open) announce(`${options.length} suggestions`);
  }, [open]);
  useLayoutEffect(() => {
    if (nextCaret.current === null) return;
    textBox.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  });

  const close = (): void => setCaret(-1);
  const update = (): void => {
    setCaret(textBox.current?.selectionStart ?? -1);
    setChosen(0);
  };
  const choose = (option: CompletionOption | undefined): void => {
    option?.choose();
    close();
  };
  const at = Math.min(chosen, options.length - 1);
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!open || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "ArrowDown") setChosen((at + 1) % options.length);
    else if (event.key === "ArrowUp") setChosen((at + options.length - 1) % options.length);
    else if (event.key === "Enter" || event.key === "Tab") choose(options[at]);
    else if (event.key === "Escape") close();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const label = trigger === null ? "" : listLabels[trigger.kind];
  return { open, label, options, chosen: at, choose, close, update, onKeyDown };
}
