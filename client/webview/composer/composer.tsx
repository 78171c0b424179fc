import { useLayoutEffect, useRef } from "preact/hooks";
import { asksOnly, composerMode } from "../state/composer-mode.ts";
import { isForOthers, isObserver, observerText } from "../state/own-role.ts";
import { userTurn } from "../state/page-state.ts";
import { Icon } from "../ui/icon.tsx";
import { AttachmentList } from "./attachments/attachment-list.tsx";
import { onPaste, useDrop } from "./attachments/use-drop.ts";
import { CompletionList, completionListId, optionId } from "./completion/completion-list.tsx";
import { useCompletion } from "./completion/use-completion.ts";
import { ComposerFooter } from "./composer-footer.tsx";
import { ComposerProblems } from "./composer-problems.tsx";
import { addressee, submit } from "./composer-state.ts";
import { draft, focusRequests, held, releaseHeld, setComposing, setDraft } from "./draft.ts";
import { useDraftText } from "./draft-text.ts";
import { movePrompt } from "./prompt-history.ts";
import { deliveryFor } from "./send/send-button.tsx";
import { isOnFirstLine, isOnLastLine } from "./text-lines.ts";
import { endWriting, noteWriting } from "./writing.ts";

const placeholders = {
  task: "Give the team a task",
  continue: "Give the team a task, or type @ to message a participant",
  running: "Message the team, or type @ to message a participant",
  awaitingTools: "A tool call is waiting for you. Message the team, or type @ to message a participant",
  budget: "Give the team a new task, or type @ to message a participant",
  observing: "",
  closed: "",
} as const;

const ASKED = "A question is waiting for you. Message the team, or type @ to message a participant";

function placeholder(): string {
  if (composerMode.value === "userTurn") return `Speak as ${userTurn.value}`;
  if (composerMode.value !== "awaitingTools") return placeholders[composerMode.value];
  if (isForOthers.value) return placeholders.running;
  return asksOnly.value ? ASKED : placeholders.awaitingTools;
}

/** What the user writes with; for one who observes the team, why there is nothing. */
export const Composer = () => (isObserver.value ? <ObserverNote /> : <TextComposer />);

function ObserverNote() {
  return (
    <p class="composer observer-note">
      <Icon name="eye" /> <span>{observerText.value}</span>
    </p>
  );
}

/** The text box for messages to the team or, with `@name`, to a participant. Not a form: a webview cannot submit one. */
function TextComposer() {
  const textBox = useRef<HTMLTextAreaElement>(null);
  const completion = useCompletion(textBox);
  const over = useDrop();
  useDraftText(textBox);
  useFocusRequests(textBox);
  const to = addressee.value;

  const onKeyDown = (event: KeyboardEvent): void => {
    // 229: some input methods say nothing else of a key that they use.
    if (event.isComposing || event.keyCode === 229 || completion.onKeyDown(event)) return;
    if (event.key === "Escape" && !event.shiftKey && held.peek() !== null) {
      releaseHeld();
      event.preventDefault();
      return;
    }
    const delivery = deliveryFor(event);
    // A key that is still held from a button, which may have given the focus to this box, sends nothing.
    if (delivery !== undefined && !event.repeat) submit(delivery);
    else if (delivery !== undefined) event.preventDefault();
    else if (!movesPrompt(event, textBox.current)) return;
    event.preventDefault();
  };

  return (
    <div class={over ? "composer is-over" : "composer"}>
      {completion.open && <CompletionList {...completion} />}
      <AttachmentList />
      <textarea
        ref={textBox}
        class="composer-text"
        rows={1}
        aria-label={to === null ? placeholder() : `Message to ${to}`}
        aria-describedby="composer-problems composer-hint"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={completion.open ? completionListId : undefined}
        aria-activedescendant={completion.open ? optionId(completion.chosen) : undefined}
        placeholder={placeholder()}
        onInput={(event) => {
          const text = event.currentTarget.value;
          // The page's own change is the draft already.
          if (text !== draft.peek()) {
            setDraft(text);
            noteWriting();
          }
          completion.update();
        }}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={() => setComposing(false)}
        onClick={completion.update}
        onBlur={() => {
          completion.close();
          endWriting();
        }}
        onPaste={onPaste}
        onKeyDown={onKeyDown}
      />
      <ComposerProblems />
      <ComposerFooter to={to} />
    </div>
  );
}

/** Up on the first line shows earlier prompts, Down on the last line goes back; the draft is kept. */
function movesPrompt(event: KeyboardEvent, box: HTMLTextAreaElement | null): boolean {
  if (box === null || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
  const isUp = event.key === "ArrowUp" && isOnFirstLine(box);
  const isDown = event.key === "ArrowDown" && isOnLastLine(box);
  if ((!isUp && !isDown) || !movePrompt(isUp ? 1 : -1)) return false;
  // The next press goes on from here, also in a text of several lines.
  const caret = isUp ? 0 : draft.peek().length;
  box.value = draft.peek();
  box.setSelectionRange(caret, caret);
  return true;
}

/** Focuses the text box on each request, before the next key comes. */
function useFocusRequests(textBox: { readonly current: HTMLTextAreaElement | null }): void {
  useLayoutEffect(() => {
    const { current } = textBox;
    if (focusRequests.value === 0 || current === null) return;
    current.focus();
    current.setSelectionRange(current.value.length, current.value.length);
  }, [focusRequests.value]);
}
