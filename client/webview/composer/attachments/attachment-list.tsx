import { computed } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Attachment, ImageSize } from "../../../common/attachments.ts";
import { announce } from "../../state/announcements.ts";
import { Icon } from "../../ui/icon.tsx";
import { ResourceChip } from "../../ui/resource-chip.tsx";
import { attachments, detach, focusRequests } from "../draft.ts";
import { cancelPending, waiting } from "./pending.ts";

/** The estimated tokens of all that is attached. */
export const totalTokens = computed(() => attachments.value.reduce((sum, { tokens }) => sum + tokens, 0));

/** What is attached to the draft. Each is removed by its button, or by Delete; arrow keys move between them. */
export function AttachmentList() {
  const list = useRef<HTMLUListElement>(null);
  const attached = attachments.value;
  const isWaiting = waiting.value.count > 0;
  if (attached.length === 0 && !isWaiting) return null;
  const total = totalTokens.value;

  const chips = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>(".resource-chip") ?? [])];
  const remove = (attachment: Attachment, index: number): void => {
    const next = chips()[index + 1] ?? chips()[index - 1];
    detach(attachment.key);
    announce(`Removed ${attachment.name}`);
    if (next === undefined) focusRequests.value++;
    else next.focus();
  };
  const onKeyDown = (event: KeyboardEvent, attachment: Attachment, index: number): void => {
    if (event.key === "Delete" || event.key === "Backspace") remove(attachment, index);
    else if (event.key === "ArrowRight") chips()[index + 1]?.focus();
    else if (event.key === "ArrowLeft") chips()[index - 1]?.focus();
    else return;
    event.preventDefault();
  };

  return (
    <div class="attachments">
      <ul
        ref={list}
        class="resources"
        aria-label={`Attached: ${attached.length}, about ${total.toLocaleString()} tokens`}
      >
        {attached.map((attachment, index) => (
          <li key={attachment.key} class="attachment" onKeyDown={(event) => onKeyDown(event, attachment, index)}>
            <ResourceChip
              resource={attachment}
              detail={attachment.size && `${attachment.size.width}×${attachment.size.height}`}
              note={tokensText(attachment.tokens)}
              spokenNote={`${spokenSize(attachment.size)}about ${attachment.tokens.toLocaleString()} tokens; Delete removes it`}
            />
            <button
              type="button"
              class="icon-button attachment-remove"
              tabIndex={-1}
              title="Remove (Delete)"
              aria-label={`Remove ${attachment.name}`}
              onClick={() => remove(attachment, index)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
        {isWaiting && <WaitingChip />}
      </ul>
    </div>
  );
}

/** What is being read or measured, after what is attached; it can be cancelled. */
function WaitingChip() {
  const { count, name } = waiting.value;
  const text = count === 1 ? `Attaching ${name}…` : `Attaching ${count} files…`;
  return (
    <li class="attachment">
      <span class="resource-chip is-waiting" title={text}>
        <Icon name="loading" spin />
        <span class="waiting-name">{text}</span>
      </span>
      <button
        type="button"
        class="icon-button attachment-remove"
        title="Cancel"
        aria-label={count === 1 ? `Do not attach ${name}` : "Do not attach the rest"}
        onClick={() => {
          cancelPending();
          focusRequests.value++;
        }}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

const spokenSize = (size: ImageSize | undefined): string =>
  size === undefined ? "" : `${size.width} by ${size.height} pixels, `;

/** An estimated number of tokens, short: `~850`, `~1.2k`. */
export const tokensText = (tokens: number): string =>
  tokens < 1000 ? `~${tokens}` : `~${(tokens / 1000).toFixed(tokens < 9950 ? 1 : 0)}k`;
