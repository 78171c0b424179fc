import type { ComponentChildren } from "preact";
import type {
  HandoffItem,
  InterruptItem,
  NoteItem,
  QueuedItem,
  RetryItem,
  RunEndItem,
} from "../../shared/timeline-items.ts";
import { Avatar } from "./avatar.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { isUser } from "./people.ts";
import { roster } from "./roster.ts";
import { SpeakerRow } from "./speaker-row.tsx";
import { interruptText, keptText, runEndText, secondsOf, timeOf } from "./words.ts";

interface EventLineProps {
  readonly icon: IconName;
  readonly at: string;
  readonly tone?: "warning" | "error";
  readonly spin?: boolean;
  readonly children: ComponentChildren;
}

/** What happens to the team as a whole: a quiet line across the conversation. */
function EventLine({ icon, at, tone, spin = false, children }: EventLineProps) {
  return (
    <div class={`event-line${tone === undefined ? "" : ` is-${tone}`}`}>
      <Icon name={icon} spin={spin} />
      <span class="event-text">{children}</span>
      <time class="time" dateTime={at}>
        {timeOf(at)}
      </time>
    </div>
  );
}

export function HandoffRow({ item }: { readonly item: HandoffItem }) {
  return (
    <EventLine icon="arrow-right" at={item.at}>
      <span class="event-people">
        <Avatar name={item.from} /> <strong>{item.from}</strong> handed over
        {item.to !== undefined && (
          <>
            {" to "}
            <Avatar name={item.to} /> <strong>{item.to}</strong>
          </>
        )}
      </span>
      {item.text !== undefined && item.text !== "" && <span class="event-detail">{item.text}</span>}
    </EventLine>
  );
}

export function InterruptRow({ item }: { readonly item: InterruptItem }) {
  const kept = keptText(item);
  const done = item.state === "completed";
  return (
    <EventLine icon={done ? "stop-circle" : "loading"} spin={!done} at={item.at} tone="warning">
      <strong>{interruptText(item, isUser(item.by, roster.value))}</strong>
      {kept !== "" && <span class="event-detail">{kept}</span>}
    </EventLine>
  );
}

export function RunEndRow({ item }: { readonly item: RunEndItem }) {
  const failed = item.status.code === "error";
  return (
    <EventLine icon={failed ? "error" : "pass-filled"} at={item.at} {...(failed ? { tone: "error" as const } : {})}>
      {runEndText(item.stopReason, item.status)}
    </EventLine>
  );
}

export function RetryRow({ item, head }: { readonly item: RetryItem; readonly head: boolean }) {
  const cause = item.status === undefined ? item.reason : `${item.status} ${item.reason}`.trim();
  const text = item.over
    ? `Tried again after ${secondsOf(item.waitMs)}: ${cause}`
    : `Waiting ${secondsOf(item.waitMs)} to try again: ${cause}`;
  return (
    <SpeakerRow source={item.source} at={item.at} head={head}>
      <div class={`retry${item.over ? " is-over" : ""}`}>
        <Icon name={item.over ? "refresh" : "loading"} spin={!item.over} />
        <span>{item.attempt > 1 ? `${text} (try ${item.attempt})` : text}</span>
      </div>
    </SpeakerRow>
  );
}

/** A message that the user sent and nobody has been given yet. */
export function QueuedRow({ item }: { readonly item: QueuedItem }) {
  const when = item.delivery === "queue" ? "after this run" : `at ${item.to}'s next turn`;
  return (
    <div class="user-message is-queued">
      <div class="user-line">
        <span class="speaker-name">You</span>
        <span class="directed">
          <Icon name="arrow-right" /> <Avatar name={item.to} /> {item.to}
        </span>
        <span class="time">{when}</span>
      </div>
      <div class="user-text">{item.text}</div>
    </div>
  );
}

const notes: Readonly<Record<NoteItem["note"], { readonly icon: IconName; readonly text: string }>> = {
  continued: { icon: "play", text: "The team goes on" },
  reset: { icon: "refresh", text: "Begun anew: the team no longer knows what stands above" },
  loaded: { icon: "history", text: "A saved state was loaded: the team knows what follows" },
};

export function NoteRow({ item }: { readonly item: NoteItem }) {
  return (
    <EventLine icon={notes[item.note].icon} at={item.at}>
      {notes[item.note].text}
    </EventLine>
  );
}
