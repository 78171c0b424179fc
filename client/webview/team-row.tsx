import { firstLine } from "../../shared/contract/message-text.ts";
import { participantKindText } from "../common/kind-text.ts";
import type { MessageItem, TeamItem } from "../common/timeline/items.ts";
import { Avatar } from "./avatar.tsx";
import { Icon } from "./icon.tsx";
import { toggleFold, unfolded } from "./page-state.ts";
import { type Members, memberNamed, nameOf, speaksIn } from "./people.ts";
import { type Roster, rosterAt } from "./roster.ts";
import { isTeamOpen, teamFold } from "./rows.ts";
import { SpeakerRow } from "./speaker-row.tsx";
import { counted } from "./words.ts";

interface Props {
  readonly id: string;
  readonly item: TeamItem;
  readonly head: boolean;
  readonly path: readonly string[];
}

/** The line under which a nested team's talk stands; folded, it says how much was said, and the last of it. */
export function TeamRow({ id, item, head, path }: Props) {
  const open = isTeamOpen(id, item, unfolded.value);
  const fold = teamFold(id, item);
  const around = rosterAt(path);
  const inner = rosterAt([...path, item.source]);
  const said = talkOf(item, inner);
  const latest = said.at(-1);
  return (
    <SpeakerRow source={item.source} at={item.at} head={head} path={path}>
      <div class={`team-fold fold is-${item.state}${open ? " is-open" : ""}`} data-fold={fold}>
        <button type="button" class="fold-line" aria-expanded={open} onClick={() => toggleFold(fold)}>
          <Icon name="chevron-right" />
          <span class="team-fold-count">
            {said.length === 0 && item.state === "working" ? "At work" : counted(said.length, "message")}
            <span class="sr-only">{` in ${item.source}, ${teamTitle(item.source, around)}`}</span>
          </span>
          {!open && latest !== undefined && (
            <span class="team-fold-latest">
              <Avatar name={latest.source} members={inner} />
              <span class="speaker-name">{nameOf(latest.source, inner)}</span>
              <span class="team-fold-line">{firstLine(latest.text).replace(/[*_`#]/g, "")}</span>
            </span>
          )}
          {item.state === "working" && !open && <span class="dots" aria-hidden="true" />}
          {item.state === "stopped" && <span class="tool-state">cut short</span>}
        </button>
      </div>
    </SpeakerRow>
  );
}

/** The messages of a nested team's own: what it was given, and what it did beside speaking, is not counted. */
export function talkOf(item: TeamItem, inner: Members): readonly MessageItem[] {
  return item.items.filter(
    (one): one is MessageItem => one.kind === "message" && speaksIn(one.source, inner) && one.text !== "",
  );
}

/** `a team of 3`; the row's own name stands above or before it. */
export function teamTitle(name: string, around: Roster): string {
  const size = around.inner.get(name)?.participants.length ?? 0;
  return participantKindText(memberNamed(name, around)?.kind ?? "team", size) || "a team";
}
