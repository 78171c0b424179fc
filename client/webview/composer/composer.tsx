import { useEffect, useRef, useState } from "preact/hooks";
import { composerMode } from "../state/composer-mode.ts";
import { userTurn } from "../state/page-state.ts";
import { ComposerFooter } from "./composer-footer.tsx";
import { agentNames, draft, focusRequests, setDraft, submit } from "./composer-state.ts";
import { MENTION_LIST, MentionList, optionId } from "./mention-list.tsx";
import { completeMention, mentionAt, mentionSuggestions, parseAddressee } from "./mentions.ts";

const placeholders = {
  task: "Give the team a task",
  continue: "Give the team a task, or type @ to message a participant",
  running: "Type @ to message a participant",
  awaitingTools: "A tool call is waiting for you. Type @ to message a participant",
  budget: "Give the team a new task, or type @ to message a participant",
  closed: "",
} as const;

function placeholder(): string {
  return composerMode.value === "userTurn" ? `Speak as ${userTurn.value}` : placeholders[composerMode.value];
}

/** The text box for messages to the team or, with `@name`, to a participant. Not a form: a webview cannot submit one. */
export function Composer() {
  const textBox = useRef<HTMLTextAreaElement>(null);
  const mention = useMention(textBox);
  useFocusRequests(textBox);
  const { to } = parseAddressee(draft.value, agentNames.value);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing || mention.onKeyDown(event)) return;
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    submit();
  };

  return (
    <div class="composer">
      {mention.open && <MentionList names={mention.names} chosen={mention.chosen} choose={mention.choose} />}
      <textarea
        ref={textBox}
        class="composer-text"
        rows={1}
        aria-label={to === null ? placeholder() : `Message to ${to}`}
        aria-describedby="composer-hint"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={mention.open ? MENTION_LIST : undefined}
        aria-activedescendant={mention.open ? optionId(mention.chosen) : undefined}
        placeholder={placeholder()}
        value={draft.value}
        onInput={(event) => {
          setDraft(event.currentTarget.value);
          mention.update();
        }}
        onClick={mention.update}
        onBlur={mention.close}
        onKeyDown={onKeyDown}
      />
      <ComposerFooter to={to} />
    </div>
  );
}

/** Focuses the text box on each request. */
function useFocusRequests(textBox: { readonly current: HTMLTextAreaElement | null }): void {
  useEffect(() => {
    const { current } = textBox;
    if (focusRequests.value === 0 || current === null) return;
    current.focus();
    current.setSelectionRange(current.value.length, current.value.length);
  }, [focusRequests.value]);
}

/** The list of participants that opens at `@`, and its keys. */
function useMention(textBox: { readonly current: HTMLTextAreaElement | null }) {
  const [caret, setCaret] = useState(-1);
  const [chosen, setChosen] = useState(0);
  const mention = caret < 0 ? null : mentionAt(draft.value, caret);
  const names = mention === null ? [] : mentionSuggestions(mention.typed, agentNames.value);
  const open = names.length > 0;
  const close = (): void => setCaret(-1);
  const update = (): void => {
    setCaret(textBox.current?.selectionStart ?? -1);
    setChosen(0);
  };
  const choose = (name: string | undefined): void => {
    if (mention === null || name === undefined) return;
    setDraft(completeMention(draft.value, mention, name));
    close();
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!open) return false;
    if (event.key === "ArrowDown") setChosen((chosen + 1) % names.length);
    else if (event.key === "ArrowUp") setChosen((chosen + names.length - 1) % names.length);
    else if (event.key === "Enter" || event.key === "Tab") choose(names[chosen]);
    else if (event.key === "Escape") close();
    else return false;
    event.preventDefault();
    return true;
  };
  return { open, names, chosen, choose, close, update, onKeyDown };
}
