import type { ComponentChildren } from "preact";
import { BUDGET, StopReason } from "../../../shared/contract/stop-reasons.ts";
import { isRecord } from "../../../shared/json-record.ts";
import { countText } from "../../../shared/text/count-text.ts";
import { participantsText } from "../../../shared/text/participants-text.ts";
import { usageText } from "../../../shared/text/usage-text.ts";
import { displayName } from "../../common/participants/participants.ts";
import type {
  FallbackItem,
  HandoffItem,
  ModelItem,
  NoteItem,
  ParticipantsItem,
  PeopleItem,
  ReasoningItem,
  RetryItem,
  RunEndItem,
} from "../../common/timeline/items.ts";
import { offeredModels } from "../state/page-state.ts";
import { rosterAt } from "../state/roster.ts";
import { secondsText, timeText } from "../text/format.ts";
import { fallbackText, modelText } from "../text/model-text.ts";
import { peopleText } from "../text/people-text.ts";
import { answersText, reasoningText } from "../text/reasoning-text.ts";
import { runEndText, stoppedByUser } from "../text/run-text.ts";
import { fullText, shortInput } from "../text/tool-text.ts";
import { hidesBeforeReset } from "../timeline/rows.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Collapsible } from "../ui/collapsible.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { ShowBeforeReset } from "../ui/show-before-reset.tsx";
import { TextBlock } from "../ui/text-block.tsx";
import { SpeakerRow } from "./speaker-row.tsx";

interface EventLineProps {
  readonly icon: IconName;
  readonly at: string;
  readonly tone?: "warning" | "error";
  readonly spin?: boolean;
  readonly children: ComponentChildren;
}

/** An event of the whole team: a line across the thread. */
export function EventLine({ icon, at, tone, spin = false, children }: EventLineProps) {
  return (
    <div class={`event-line${tone === undefined ? "" : ` is-${tone}`}`}>
      <Icon name={icon} spin={spin} />
      <span class="event-text">{children}</span>
      <time class="time" dateTime={at}>
        {timeText(at)}
      </time>
    </div>
  );
}

interface EventRowProps<I> {
  readonly item: I;
  /** The path to the nested team in which it happens. */
  readonly path: readonly string[];
}

export function HandoffRow({ item, path }: EventRowProps<HandoffItem>) {
  const members = rosterAt(path);
  return (
    <>
      <EventLine icon="arrow-right" at={item.at}>
        <span class="event-participants">
          <Avatar name={item.from} members={members} /> <strong>{item.from}</strong> handed off
          {item.to !== undefined && (
            <>
              {" to "}
              <Avatar name={item.to} members={members} /> <strong>{item.to}</strong>
            </>
          )}
        </span>
        {item.text !== undefined && item.text !== "" && <span class="event-detail">{item.text}</span>}
      </EventLine>
      {item.context !== undefined && <HandoffContext id={item.key} calls={item.context} />}
    </>
  );
}

/** The tool results that a handoff gives to the next participant. */
function HandoffContext({ id, calls }: { readonly id: string; readonly calls: readonly unknown[] }) {
  return (
    <div class="event-context">
      <Collapsible
        id={`${id}-context`}
        label={
          <>
            <Icon name="tools" />
            <span class="thought-label">{`With ${countText(calls.length, "tool result")}`}</span>
          </>
        }
      >
        {calls.map((call, index) =>
          isRecord(call) && typeof call["name"] === "string" ? (
            <TextBlock
              key={index}
              label={`${call["name"]} ${shortInput(call["input"])}`.trim()}
              text={fullText(call["output"])}
            />
          ) : (
            <TextBlock key={index} label="Tool result" text={fullText(call)} />
          ),
        )}
      </Collapsible>
    </div>
  );
}

export function ReasoningRow({ item, path }: EventRowProps<ReasoningItem>) {
  const answers = answersText(item);
  return (
    <EventLine icon="debug-pause" at={item.at}>
      <strong>{reasoningText(item, displayName(item.from, rosterAt(path)))}</strong>
      {answers !== "" && <span class="event-detail">{answers}</span>}
    </EventLine>
  );
}

export function RunEndRow({ item, path }: EventRowProps<RunEndItem>) {
  const { stopReason, status, speaker, usage } = item;
  const by = speaker === undefined ? undefined : displayName(speaker, rosterAt(path));
  return (
    <EventLine {...runEndStyle(item)} at={item.at}>
      {runEndText(stopReason, status, by)}
      {path.length === 0 && usage.total > 0 && <span class="event-detail run-usage">{usageText(usage)}</span>}
    </EventLine>
  );
}

function runEndStyle({ stopReason, status }: RunEndItem): Pick<EventLineProps, "icon" | "tone"> {
  if (status.code === "error") return { icon: "error", tone: "error" };
  if (status.reason === BUDGET) return { icon: "debug-pause", tone: "warning" };
  if (stoppedByUser(stopReason, status)) return { icon: "stop-circle" };
  if (stopReason === StopReason.userInputRequested) return { icon: "person" };
  return { icon: status.code === "success" ? "pass-filled" : "debug-pause" };
}

export function RetryRow({ item, head, path }: EventRowProps<RetryItem> & { readonly head: boolean }) {
  const cause = item.status === undefined ? item.reason : `${item.status} ${item.reason}`.trim();
  const text = item.over
    ? `Retried after ${secondsText(item.waitMs)}: ${cause}`
    : `Retrying in ${secondsText(item.waitMs)}: ${cause}`;
  return (
    <SpeakerRow item={item} head={head} path={path}>
      <div class={`retry${item.over ? " is-over" : ""}`}>
        <Icon name={item.over ? "refresh" : "loading"} spin={!item.over} />
        <span>{item.attempt > 1 ? `${text} (attempt ${item.attempt})` : text}</span>
      </div>
    </SpeakerRow>
  );
}

const notes: Readonly<Record<NoteItem["note"], { readonly icon: IconName; readonly text: string }>> = {
  continued: { icon: "play", text: "Resumed" },
  reset: { icon: "refresh", text: "Thread was reset" },
  restored: { icon: "history", text: "Checkpoint restored. The team sees only the messages above" },
  loaded: { icon: "history", text: "Saved state loaded. The team sees the messages below" },
};

export function NoteRow({ item }: { readonly item: NoteItem }) {
  return (
    <EventLine icon={notes[item.note].icon} at={item.at}>
      {notes[item.note].text}
      {item.note === "reset" &&
        (hidesBeforeReset.value ? (
          <>
            {" · "}
            <ShowBeforeReset />
          </>
        ) : (
          ". The team sees no message above"
        ))}
    </EventLine>
  );
}

/** Another model answers, as a model could not. */
export function FallbackRow({ item }: { readonly item: FallbackItem }) {
  return (
    <EventLine icon="chip" tone="warning" at={item.at}>
      {fallbackText(item, offeredModels.value)}
    </EventLine>
  );
}

/** The user chose a model; it is used from the next turn on. */
export function ModelRow({ item }: { readonly item: ModelItem }) {
  return (
    <EventLine icon="chip" at={item.at}>
      {modelText(item, offeredModels.value)}
    </EventLine>
  );
}

/** The user changed who takes part. */
export function ParticipantsRow({ item, path }: { readonly item: ParticipantsItem; readonly path: readonly string[] }) {
  return (
    <EventLine icon="organization" at={item.at}>
      {participantsText(item, displayName(item.by, rosterAt(path)))}
    </EventLine>
  );
}

/** A user changed roles or approvers, or gave one of several approvals. */
export function PeopleRow({ item, path }: { readonly item: PeopleItem; readonly path: readonly string[] }) {
  return (
    <EventLine icon={item.change.what === "role" ? "account" : "shield"} at={item.at}>
      {peopleText(item, rosterAt(path))}
    </EventLine>
  );
}
