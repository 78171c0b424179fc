import { countText } from "../../../shared/text/count-text.ts";
import { displayName } from "../../common/participants/participants.ts";
import type { TeamItem } from "../../common/timeline/items.ts";
import { toggledSections, toggleSection } from "../state/page-state.ts";
import { rosterAt } from "../state/roster.ts";
import { plainFirstLine } from "../text/format.ts";
import { nestedTeamText, ownMessages } from "../timeline/nested-team.ts";
import { isTeamExpanded, teamSectionKey } from "../timeline/rows.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { SpeakerRow } from "./speaker-row.tsx";

interface Props {
  readonly id: string;
  readonly item: TeamItem;
  readonly head: boolean;
  readonly path: readonly string[];
}

/** The line above a nested team's messages; collapsed, it shows their number and the latest. */
export function TeamRow({ id, item, head, path }: Props) {
  const open = isTeamExpanded(id, item, toggledSections.value);
  const section = teamSectionKey(id, item);
  const outer = rosterAt(path);
  const inner = rosterAt([...path, item.source]);
  const messages = ownMessages(item, inner);
  const latest = messages.at(-1);
  return (
    <SpeakerRow item={item} head={head} path={path}>
      <div class={`nested-team collapsible is-${item.state}${open ? " is-open" : ""}`} data-section={section}>
        <button type="button" class="collapsible-header" aria-expanded={open} onClick={() => toggleSection(section)}>
          <Icon name="chevron-right" />
          <span class="nested-team-count">
            {messages.length === 0 && item.state === "working" ? "Running" : countText(messages.length, "message")}
            <span class="sr-only">{` in ${item.source}, ${nestedTeamText(item.source, outer)}`}</span>
          </span>
          {!open && latest !== undefined && (
            <span class="nested-team-latest">
              <Avatar name={latest.source} members={inner} />
              <span class="speaker-name">{displayName(latest.source, inner)}</span>
              <span class="nested-team-text">{plainFirstLine(latest.text)}</span>
            </span>
          )}
          {item.state === "working" && !open && <span class="dots" aria-hidden="true" />}
          {item.state === "stopped" && <span class="tool-state">interrupted</span>}
        </button>
      </div>
    </SpeakerRow>
  );
}
