import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { LEGEND, visibleText } from "../../../shared/text/visible-text.ts";

interface Props {
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
  const [text, setText] = useState(initial);
  const box = useRef<HTMLTextAreaElement>(null);
  // A form that is there from the start does not take the focus.
  useLayoutEffect(() => {
    if (onCancel !== undefined) box.current?.focus();
  }, []);
  const canSubmit = optional === true || text.trim() !== "";
  const submit = (): void => {
    if (canSubmit) onSubmit(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && onCancel !== undefined) onCancel();
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
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {code && visible.written && <p class="tool-note">{`${visible.text}\n${LEGEND}`}</p>}
      <div class="button-row">
        <button type="button" class="button" disabled={!canSubmit} onClick={submit}>
          {submitLabel}
        </button>
        {children}
        {onCancel !== undefined && (
          <button type="button" class="button is-secondary" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
    </div>
  );
}
