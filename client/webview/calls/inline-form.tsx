import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { LEGEND, visibleText } from "../../../shared/text/visible-text.ts";
import { setWrittenText, type WrittenOn, writtenText } from "./written-text.ts";

interface Props {
  /** What the text is written on, which keeps it while the form is not there. */
  readonly on: WrittenOn;
  readonly label: string;
  readonly placeholder?: string;
  /** The label of the button that submits. */
  readonly submitLabel: string;
  readonly initial?: string;
  /** An empty text can be submitted. */
  readonly optional?: boolean;
  /** Shows a command: in the editor's font, with invisible characters written out below. */
  readonly code?: boolean;
  readonly onSubmit: (text: string) => void;
  readonly onCancel?: () => void;
  /** What can be chosen instead, beside the button that submits. */
  readonly children?: ComponentChildren;
}

/** A text that the user gives on a card. Enter submits it, Shift+Enter breaks the line, Escape cancels. */
export function InlineForm({
  on,
  label,
  placeholder,
  submitLabel,
  initial = "",
  optional,
  code,
  onSubmit,
  onCancel,
  children,
}: Props) {
  const text = writtenText(on) ?? initial;
  const box = useRef<HTMLTextAreaElement>(null);
  // A form that is there from the start does not take the focus.
  useLayoutEffect(() => {
    if (onCancel !== undefined) box.current?.focus();
  }, []);
  const cancel = (): void => {
    setWrittenText(on, undefined);
    onCancel?.();
  };
  const canSubmit = optional === true || text.trim() !== "";
  const submit = (): void => {
    if (canSubmit) onSubmit(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && onCancel !== undefined) cancel();
    else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const visible = visibleText(text);
  return (
    <div class="answer-form">
      <textarea
        ref={box}
        class={code ? "answer is-code" : "answer"}
        rows={2}
        spellcheck={!code}
        aria-label={label}
        placeholder={placeholder ?? ""}
        value={text}
        onInput={(event) => setWrittenText(on, event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {code && visible.written && <p class="tool-note">{`${visible.text}\n${LEGEND}`}</p>}
      <div class="button-row">
        <button type="button" class="button" disabled={!canSubmit} onClick={submit}>
          {submitLabel}
        </button>
        {children}
        {onCancel !== undefined && (
          <button type="button" class="button is-secondary" onClick={cancel}>
            Cancel
          </button>
        )}
      </div>
    </div>
  );
}
