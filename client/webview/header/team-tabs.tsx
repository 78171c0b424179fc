import { useLayoutEffect, useRef } from "preact/hooks";
import type { TeamTab } from "../../common/page-messages.ts";
import { needsUser, progressIcon, progressText } from "../../common/team-progress.ts";
import { post } from "../state/editor-bridge.ts";
import { failedTeam, team, teamTabs } from "../state/page-state.ts";
import { Icon } from "../ui/icon.tsx";

/** The open teams, to switch between them; not shown for a single one. */
export function TeamTabs() {
  const tabs = teamTabs.value;
  const shown = team.value?.teamId ?? failedTeam.value?.uri;
  if (tabs.length < 2) return null;
  return (
    <nav class="team-tabs" aria-label="Open teams">
      <div class="team-tab-list" role="tablist" aria-label="Open teams" onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <Tab key={tab.teamId} tab={tab} selected={tab.teamId === shown} />
        ))}
      </div>
    </nav>
  );
}

function Tab({ tab, selected }: { readonly tab: TeamTab; readonly selected: boolean }) {
  const { teamId, name, progress, unread } = tab;
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (selected) frame.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [selected]);
  const state = [progressText[progress], ...(unread === 0 ? [] : [`${unread} unread`])].join(", ");
  return (
    <div ref={frame} class={tabClass(tab, selected)} role="presentation">
      <button
        type="button"
        role="tab"
        class="team-tab-name"
        aria-selected={selected}
        aria-keyshortcuts="Delete"
        tabIndex={selected ? 0 : -1}
        title={`${name} · ${state}`}
        aria-label={`${name}, ${state}`}
        data-team={teamId}
        onClick={() => post({ type: "switchTeam", teamId })}
      >
        <Icon name={progressIcon[progress]} spin={progress === "running"} />
        <span class="team-tab-text">{name}</span>
        {unread > 0 && <span class="team-tab-unread" aria-hidden="true" />}
      </button>
      {/* For the mouse. A list of tabs has nothing but tabs: on the keyboard, Delete closes one. */}
      <button
        type="button"
        class="icon-button team-tab-close"
        tabIndex={-1}
        title={`Close ${name} (Delete)`}
        aria-hidden="true"
        onClick={() => post({ type: "closeTeam", teamId })}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

function tabClass({ progress, unread }: TeamTab, selected: boolean): string {
  const classes = ["team-tab", `is-${progress}`];
  if (selected) classes.push("is-selected");
  if (unread > 0) classes.push("is-unread");
  if (needsUser(progress)) classes.push("needs-user");
  return classes.join(" ");
}

/** Arrow keys, Home and End move the focus, Enter and Space switch, Delete closes. */
function onKeyDown(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
  const current = tabs.find((tab) => tab === document.activeElement);
  if (current === undefined) return;
  const index = tabs.indexOf(current);
  const next = moves[event.key]?.(index, tabs.length);
  if (next !== undefined) tabs[next]?.focus();
  else if (event.key === "Delete") post({ type: "closeTeam", teamId: current.dataset["team"] ?? "" });
  else return;
  event.preventDefault();
}

const moves: Readonly<Record<string, ((index: number, count: number) => number) | undefined>> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};
