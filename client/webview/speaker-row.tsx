import type { ComponentChildren } from "preact";
import { Avatar } from "./avatar.tsx";
import { nameOf } from "./people.ts";
import { roster } from "./roster.ts";
import { timeOf } from "./words.ts";

interface Props {
  readonly source: string;
  readonly at: string;
  /** The first of its speaker's group: it carries avatar, name and time for all of them. */
  readonly head: boolean;
  readonly children: ComponentChildren;
}

/** What a participant says or does: a gutter with its accent, and beside it the content. */
export function SpeakerRow({ source, at, head, children }: Props) {
  return (
    <div class="speaker-row">
      <div class="gutter">{head && <Avatar name={source} />}</div>
      <div class="content">
        {head && <SpeakerLine source={source} at={at} />}
        {children}
      </div>
    </div>
  );
}

function SpeakerLine({ source, at }: Pick<Props, "source" | "at">) {
  const role = roster.value.participants.find(({ name }) => name === source)?.description;
  return (
    <div class="speaker-line">
      <Avatar name={source} />
      <span class="speaker-name">{nameOf(source, roster.value)}</span>
      {role !== undefined && (
        <span class="speaker-role" title={role}>
          {role}
        </span>
      )}
      <time class="time" dateTime={at}>
        {timeOf(at)}
      </time>
    </div>
  );
}
