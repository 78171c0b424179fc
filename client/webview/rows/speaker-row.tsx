import type { ComponentChildren } from "preact";
import { participantKindText } from "../../common/kind-text.ts";
import { displayName, findMember, isOrchestrator } from "../../common/participants/participants.ts";
import { modelSentence } from "../state/models.ts";
import { toggledSections } from "../state/page-state.ts";
import { rosterAt } from "../state/roster.ts";
import { timeText } from "../text/format.ts";
import { Avatar } from "../ui/avatar.tsx";
import { type Lane, LaneLine } from "./lane-line.tsx";

interface Props {
  readonly item: { readonly key: string; readonly source: string; readonly at: string };
  /** The first row of its speaker's group: it shows avatar, name and time for the group. */
  readonly head: boolean;
  /** The path to the row's nested team. */
  readonly path: readonly string[];
  /** The row is a lane beside those of others that are active at the same time. */
  readonly lane?: Lane | undefined;
  readonly children: ComponentChildren;
}

/** A participant's row: a gutter with its accent beside the content. */
export function SpeakerRow({ item, head, path, lane, children }: Props) {
  const { source } = item;
  const shut = lane?.section !== undefined && !toggledSections.value.has(lane.section);
  return (
    <div class={`speaker-row${shut ? " is-shut" : ""}`}>
      <div class="gutter">{(head || lane !== undefined) && <Avatar name={source} members={rosterAt(path)} />}</div>
      <div class="content">
        {lane !== undefined ? (
          <LaneLine source={source} path={path} {...lane} />
        ) : (
          head && <SpeakerLine item={item} path={path} />
        )}
        {children}
      </div>
    </div>
  );
}

/** How many levels of nested teams are indented; a deeper one shows its path. */
export const SHOWN_LEVELS = 2;

function SpeakerLine({ item, path }: Pick<Props, "item" | "path">) {
  const { source, at } = item;
  const members = rosterAt(path);
  const role = roleOf(source, path);
  return (
    <div
      class="speaker-line"
      onPointerEnter={({ currentTarget }) => {
        // For the pointer alone: a screen reader has it in the description of the row, and would read it again.
        currentTarget.title = [displayName(source, members), modelSentence(item, source, path)]
          .filter(Boolean)
          .join("\n");
      }}
    >
      <Avatar name={source} members={members} />
      {path.length > SHOWN_LEVELS && <span class="speaker-path">{`${path.join(" › ")} ›`}</span>}
      <span class="speaker-name">{displayName(source, members)}</span>
      {role !== "" && (
        <span class="speaker-role" title={role}>
          {role}
        </span>
      )}
      <time class="time" dateTime={at}>
        {timeText(at)}
      </time>
    </div>
  );
}

/** A speaker's role: its kind, unless it is an assistant, and its description in the team file. */
function roleOf(source: string, path: readonly string[]): string {
  const members = rosterAt(path);
  if (isOrchestrator(source, members)) return "Plans the work and selects the speaker";
  const info = findMember(source, members);
  if (info === undefined || info.kind === "user") return info?.description ?? "";
  const kind = participantKindText(info.kind, members.inner.get(source)?.participants.length);
  return [kind, info.description ?? ""].filter((part) => part !== "").join(" · ");
}
