import { useEffect, useRef, useState } from "preact/hooks";
import { composerMode } from "../state/composer-mode.ts";
import { userTurn } from "../state/page-state.ts";
import { ComposerFooter } from "./composer-footer.tsx";
import { agentNames, draft, focusRequests, setDraft, submit } from "./composer-state.ts";
import { MENTION_LIST, MentionList, optionId } from "./mention-list.tsx";
import { completeMention, mentionAt, mentionSuggestions, parseAddressee } from "./mentions.ts";

const placeholders = {
  task: "Give the team a task",
  continue: "Give the team a task, or @name one participant",
  running: "@name to speak to one participant",
  awaitingTools: "A tool call waits for you",
  budget: "Give the team a new task, or @name one participant",
  closed: "",
} as const;

function placeholder(): string {
  return composerMode.value === "userTurn" ? `Speak as ${userTurn.value}` : placeholders[composerMode.value];
}

/** The box in which the user writes: to the team, or with `@name` to one of it. No form: a webview may not submit one. */
export function Composer() {
  const box = useRef<HTMLTextAreaElement>(null);
  const mention = useMention(box);
  useFocusRequests(box);
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
        ref={box}
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
          mention.look();
        }}
        onClick={mention.look}
        onBlur={mention.close}
        onKeyDown={onKeyDown}
      />
      <ComposerFooter to={to} />
    </div>
  );
}

/** Puts the focus into the box whenever somebody wishes that. */
function useFocusRequests(box: { readonly current: HTMLTextAreaElement | null }): void {
  useEffect(() => {
    const { current } = box;
    if (focusRequests.value === 0 || current === null) return;
    current.focus();
    current.setSelectionRange(current.value.length, current.value.length);
  }, [focusRequests.value]);
}

/** The list of names that opens at `@`, and its keys. */
function useMention(box: { readonly current: HTMLTextAreaElement | null }) {
  const [caret, setCaret] = useState(-1);
  const [chosen, setChosen] = useState(0);
  const mention = caret < 0 ? null : mentionAt(draft.value, caret);
  const names = mention === null ? [] : mentionSuggestions(mention.typed, agentNames.value);
  const open = names.length > 0;
  const close = (): void => setCaret(-1);
  const look = (): void => {
    setCaret(box.current?.selectionStart ?? -1);
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
  return { open, names, chosen, choose, close, look, onKeyDown };
}
