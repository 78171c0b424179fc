import { firstLine } from "../../../shared/contract/message-text.ts";
import type { TeamItem } from "../../common/timeline/items.ts";
import { toggleFold, unfolded } from "../state/page-state.ts";
import { rosterAt } from "../state/roster.ts";
import { counted } from "../text/format.ts";
import { nameOf } from "../text/participants.ts";
import { talkOf, teamTitle } from "../timeline/nested-team.ts";
import { isTeamOpen, teamFold } from "../timeline/rows.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { SpeakerRow } from "./speaker-row.tsx";

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
