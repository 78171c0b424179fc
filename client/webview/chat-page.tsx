import { computed } from "@preact/signals";
import { Composer } from "./composer/composer.tsx";
import { WaitingMessageList } from "./composer/waiting/waiting-message-list.tsx";
import { ChangesLine } from "./controls/changes-line.tsx";
import { CommandList } from "./controls/command-list.tsx";
import { TeamControls } from "./controls/team-controls.tsx";
import { Banners } from "./header/banners.tsx";
import { TeamHeader } from "./header/team-header.tsx";
import { TeamTabs } from "./header/team-tabs.tsx";
import { PlanList } from "./plan/plan-list.tsx";
import { announcements } from "./state/announcements.ts";
import { composerMode } from "./state/composer-mode.ts";
import { failedTeam, team, welcome } from "./state/page-state.ts";
import { EmptyThread } from "./thread/empty-thread.tsx";
import { Thread } from "./thread/thread.tsx";
import { isThreadEmpty } from "./timeline/rows.ts";
import { FailedTeam } from "./welcome/failed-team.tsx";
import { WelcomeScreen } from "./welcome/welcome-screen.tsx";

const shown = computed(() => {
  if (team.value !== null) return "team";
  if (failedTeam.value !== null) return "failure";
  return welcome.value !== null ? "welcome" : "nothing";
});
const teamId = computed(() => team.value?.teamId);

/** The chat page. */
export function ChatPage() {
  return (
    <div class="page">
      <TeamTabs />
      {shown.value === "team" && <TeamHeader />}
      <Banners />
      {shown.value === "failure" && <FailedTeam />}
      {shown.value === "welcome" && <WelcomeScreen />}
      {shown.value === "team" && <Chat key={teamId.value} />}
      <LiveRegion />
    </div>
  );
}

function Chat() {
  return (
    <main class="chat">
      {isThreadEmpty.value ? <EmptyThread /> : <Thread />}
      {composerMode.value !== "closed" && (
        <div class="chat-footer">
          <div class="above-controls">
            <PlanList />
            <CommandList />
            <ChangesLine />
            <WaitingMessageList />
          </div>
          <TeamControls />
          <Composer />
        </div>
      )}
    </main>
  );
}

function LiveRegion() {
  return (
    <div class="sr-only" role="status" aria-live="polite" aria-atomic="false" aria-relevant="additions">
      {announcements.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
