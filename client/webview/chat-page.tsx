import { computed } from "@preact/signals";
import { announcements } from "./announcements.ts";
import { Banners } from "./banners.tsx";
import { ChairBar } from "./chair-bar.tsx";
import { Composer } from "./composer.tsx";
import { mode } from "./composer-state.ts";
import { EmptyThread } from "./empty-thread.tsx";
import { MessageList } from "./message-list.tsx";
import { team, timeline, welcome } from "./page-state.ts";
import { TeamHeader } from "./team-header.tsx";
import { WaitingStrip } from "./waiting-strip.tsx";
import { WelcomeScreen } from "./welcome-screen.tsx";

const shown = computed(() => (team.value !== null ? "team" : welcome.value !== null ? "welcome" : "nothing"));
const teamId = computed(() => team.value?.teamId);
const empty = computed(() => timeline.value.items.length === 0);

/** The whole page. */
export function ChatPage() {
  return (
    <div class="page">
      {shown.value === "team" && <TeamHeader />}
      <Banners />
      {shown.value === "welcome" && <WelcomeScreen />}
      {shown.value === "team" && <Chat key={teamId.value} />}
      <LiveRegion />
    </div>
  );
}

function Chat() {
  return (
    <main class="chat">
      {empty.value ? <EmptyThread /> : <MessageList />}
      {mode.value !== "closed" && (
        <div class="chair">
          <WaitingStrip />
          <ChairBar />
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
