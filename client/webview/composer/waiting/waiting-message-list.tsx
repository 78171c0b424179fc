import { computed } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { QueuedMessage } from "../../../../shared/contract/team.ts";
import { addresseeName } from "../../../common/addressee-name.ts";
import { otherUser } from "../../../common/participants/participants.ts";
import { queueTime } from "../../../common/queue-time.ts";
import { announce } from "../../state/announcements.ts";
import { post } from "../../state/editor-bridge.ts";
import { canAct, canChair } from "../../state/own-role.ts";
import { team } from "../../state/page-state.ts";
import { roster } from "../../state/roster.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { WaitingMessageEditor } from "./waiting-message-editor.tsx";

/** Whether the message is the user's own: of somebody else's, the chair alone decides. */
const isOwn = ({ by }: QueuedMessage): boolean => by === undefined || otherUser(by, roster.value) === undefined;

/** Whether the user may change the message, and where it stands. */
const canChange = (message: QueuedMessage): boolean => canChair.value || (canAct.value && isOwn(message));

const queued = computed(() => team.value?.queued ?? []);

/** The user's waiting messages in order. Each can be edited, moved and withdrawn. */
export function WaitingMessageList() {
  const [editing, edit] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const focusBack = useFocusBack(list);
  const messages = queued.value;
  if (messages.length === 0) return null;

  const move = (message: QueuedMessage, by: 1 | -1): void => {
    const ids = messages.map(({ id }) => id);
    const from = ids.indexOf(message.id);
    const other = ids[from + by];
    if (other === undefined) return;
    ids[from + by] = message.id;
    ids[from] = other;
    post({ type: "queue", order: ids });
    announce(`Message to ${addresseeName(message.to)} moved to position ${from + by + 1} of ${ids.length}`);
  };

  return (
    <section class="waiting above-composer" aria-label={`Waiting messages: ${messages.length}`}>
      <ul ref={list}>
        {messages.map((message, index) => (
          <WaitingMessage
            key={message.id}
            message={message}
            position={index}
            count={messages.length}
            editing={editing === message.id}
            edit={(wanted) => {
              edit(wanted ? message.id : null);
              if (!wanted) focusBack(message.id);
            }}
            move={(by) => move(message, by)}
          />
        ))}
      </ul>
    </section>
  );
}

interface Props {
  readonly message: QueuedMessage;
  readonly position: number;
  readonly count: number;
  readonly editing: boolean;
  readonly edit: (wanted: boolean) => void;
  readonly move: (by: 1 | -1) => void;
}

function WaitingMessage({ message, position, count, editing, edit, move }: Props) {
  const { id, to, messages } = message;
  const text = messages.join("\n\n");
  const changeable = canChange(message);
  // Moving one past another changes the place of both.
  const movable = count > 1 && queued.value.every(canChange);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!movable || !event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    move(event.key === "ArrowUp" ? -1 : 1);
  };
  const button = (icon: IconName, label: string, onClick: () => void, off = false) => (
    <button
      type="button"
      class="icon-button"
      title={label}
      aria-label={`${label}: message to ${addresseeName(to)}`}
      aria-disabled={off || undefined}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <li
      class="waiting-message"
      data-id={id}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be moved with the keyboard
      tabIndex={0}
      aria-label={labelOf(message)}
      aria-keyshortcuts={movable ? "Alt+ArrowUp Alt+ArrowDown" : undefined}
      onKeyDown={onKeyDown}
    >
      <Icon name="watch" />
      <span class="waiting-line">
        <span class="waiting-to">
          {to === undefined ? <Icon name="organization" /> : <Avatar name={to} />}{" "}
          <span class="waiting-name">{to ?? "Whole team"}</span>
        </span>
        <span class="waiting-when">
          {senderText(message)}
          {whenText(message)}
          {message.visibility === "target" && to !== undefined && (
            <span class="waiting-only" title={onlyText(to)}>
              <Icon name="lock" /> <span>{onlyText(to)}</span>
            </span>
          )}
        </span>
        {editing ? (
          <WaitingMessageEditor
            to={to}
            text={text}
            close={(written) => {
              if (written !== null) post({ type: "queue", edit: { id, text: written } });
              edit(false);
            }}
          />
        ) : (
          <span class="waiting-text" title={text}>
            {text}
          </span>
        )}
      </span>
      {!editing && (
        <span class="waiting-buttons">
          {movable && button("arrow-up", "Move up (Alt+↑)", () => move(-1), position === 0)}
          {movable && button("arrow-down", "Move down (Alt+↓)", () => move(1), position === count - 1)}
          {changeable && button("edit", "Edit", () => edit(true))}
          {changeable && button("close", "Withdraw", () => post({ type: "queue", withdraw: id }))}
        </span>
      )}
    </li>
  );
}

function labelOf(message: QueuedMessage): string {
  const { to, visibility, messages } = message;
  const only = visibility === "target" && to !== undefined ? `, ${onlyText(to)}` : "";
  return `To ${addresseeName(to)}, ${senderText(message)}${whenText(message)}${only}: ${messages.join("\n\n")}`;
}

function whenText({ to, delivery }: QueuedMessage): string {
  if (delivery === "queue") return queueTime(team.value?.status ?? "idle");
  return to === undefined ? "at the next turn" : "at its next turn";
}

/** Of another user's message, whose it is. */
function senderText({ by }: QueuedMessage): string {
  const other = by === undefined ? undefined : otherUser(by, roster.value);
  return other === undefined ? "" : `from ${other}, `;
}

const onlyText = (to: string): string => `visible only to ${to}`;

/** Returns the focus to a message's row when its editor closes. */
function useFocusBack(list: { readonly current: HTMLElement | null }): (id: string) => void {
  const wanted = useRef("");
  useLayoutEffect(() => {
    if (wanted.current === "") return;
    list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(wanted.current)}"]`)?.focus();
    wanted.current = "";
  });
  return (id) => {
    wanted.current = id;
  };
}
