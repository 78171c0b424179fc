import { timeAgo } from "../../common/time-ago.ts";
import { post } from "../state/editor-bridge.ts";
import { welcome } from "../state/page-state.ts";
import { Icon } from "../ui/icon.tsx";

/** Shown while no team is open: what Gavel does, and the teams that can be opened. */
export function WelcomeScreen() {
  const now = welcome.value;
  if (now === null) return null;
  return (
    <main class="welcome">
      <div class="welcome-logo" aria-hidden="true">
        <span class="avatar accent-0">A</span>
        <span class="avatar accent-1">R</span>
        <span class="avatar accent-2">T</span>
      </div>
      <h1>Run a team of agents</h1>
      <p class="welcome-lead">
        Open a team and give it a task. Interrupt it at any time, message one participant, and approve every risky tool
        call.
      </p>
      <TeamFiles />
      <StoredTeams />
      {!now.workspace && (
        <p class="welcome-note">
          <Icon name="info" /> No folder is open, so teams are stored for this editor and not for a workspace.
        </p>
      )}
    </main>
  );
}

function TeamFiles() {
  const files = welcome.value?.teamFiles ?? [];
  return (
    <section aria-labelledby="team-files">
      <h2 id="team-files">{files.length === 0 ? "No team files found" : "Team files"}</h2>
      <ul class="choices">
        {files.map(({ uri, label }) => (
          <li key={uri}>
            <button type="button" class="choice" onClick={() => post({ type: "openTeam", uri })}>
              <Icon name="organization" />
              <span class="choice-name">{label}</span>
            </button>
          </li>
        ))}
        <li>
          <button type="button" class="choice is-quiet" onClick={() => post({ type: "openTeamPicker" })}>
            <Icon name="folder-opened" />
            <span class="choice-name">{files.length === 0 ? "Open Team…" : "Open Another Team…"}</span>
          </button>
        </li>
      </ul>
    </section>
  );
}

function StoredTeams() {
  const stored = welcome.value?.stored ?? [];
  if (stored.length === 0) return null;
  const now = Date.now();
  return (
    <section aria-labelledby="stored-teams">
      <h2 id="stored-teams">Recent Threads</h2>
      <ul class="choices">
        {stored.map(({ teamId, name, updatedAt, lastLine }) => (
          <li key={teamId}>
            <button type="button" class="choice" onClick={() => post({ type: "openStored", teamId })}>
              <Icon name="history" />
              <span class="choice-name">{name}</span>
              <span class="choice-time">{timeAgo(updatedAt, now)}</span>
              {lastLine !== undefined && <span class="choice-line">{lastLine}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
