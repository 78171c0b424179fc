import { timeAgo } from "../../../shared/text/time-ago.ts";
import type { StartWay } from "../../common/page-messages.ts";
import { post } from "../state/editor-bridge.ts";
import { welcome } from "../state/page-state.ts";
import { Icon, type IconName } from "../ui/icon.tsx";

/** Shown while no team is open: what Gavel does, the ways to start, and what can be opened. */
export function WelcomeScreen() {
  const now = welcome.value;
  if (now === null) return null;
  const hasFiles = now.teamFiles.length > 0;
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
      {hasFiles && <TeamFiles />}
      {now.trusted && <Start />}
      {!hasFiles && <TeamFiles />}
      <StoredTeams />
      {!now.workspace && now.trusted && <NoFolder />}
    </main>
  );
}

const starts: readonly {
  readonly way: StartWay;
  readonly icon: IconName;
  readonly name: string;
  readonly line: string;
}[] = [
  {
    way: "sample",
    icon: "beaker",
    name: "Try a Sample",
    line: "Three agents review a small program. It needs no API key.",
  },
  {
    way: "oneAgent",
    icon: "hubot",
    name: "Start with One Agent",
    line: "It reads and edits files and runs commands, with your approval.",
  },
  {
    way: "newTeam",
    icon: "add",
    name: "New Team…",
    line: "Answer a few questions, or describe a task in a sentence.",
  },
];

function Start() {
  return (
    <section aria-labelledby="start">
      <h2 id="start">Start</h2>
      <ul class="choices">
        {starts.map(({ way, icon, name, line }) => (
          <li key={way}>
            <button type="button" class="choice is-start" onClick={() => post({ type: "start", way })}>
              <Icon name={icon} />
              <span class="choice-name">{name}</span>
              <span class="choice-line">{line}</span>
            </button>
          </li>
        ))}
        <li>
          <QuietChoice
            icon="list-selection"
            name="More Samples…"
            choose={() => post({ type: "start", way: "moreSamples" })}
          />
        </li>
        <li>
          <QuietChoice icon="checklist" name="Check Setup" choose={() => post({ type: "start", way: "checkSetup" })} />
        </li>
      </ul>
    </section>
  );
}

interface QuietProps {
  readonly icon: IconName;
  readonly name: string;
  readonly choose: () => void;
}

function QuietChoice({ icon, name, choose }: QuietProps) {
  return (
    <button type="button" class="choice is-quiet" onClick={choose}>
      <Icon name={icon} />
      <span class="choice-name">{name}</span>
    </button>
  );
}

/** The team files of the workspace, and the user's own. */
function TeamFiles() {
  const { teamFiles = [], ownTeamFiles = [] } = welcome.value ?? {};
  return (
    <>
      <FileList id="team-files" title="Team files" files={teamFiles} />
      <FileList id="own-teams" title="Your teams" files={ownTeamFiles} />
      <QuietChoice
        icon="folder-opened"
        name={teamFiles.length + ownTeamFiles.length === 0 ? "Open Team…" : "Open Another Team…"}
        choose={() => post({ type: "openTeamPicker" })}
      />
    </>
  );
}

interface FilesProps {
  readonly id: string;
  readonly title: string;
  readonly files: readonly { readonly uri: string; readonly label: string }[];
}

function FileList({ id, title, files }: FilesProps) {
  if (files.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="choices">
        {files.map(({ uri, label }) => (
          <li key={uri}>
            <button type="button" class="choice" onClick={() => post({ type: "openTeam", uri })}>
              <Icon name="organization" />
              <span class="choice-name">{label}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoFolder() {
  return (
    <p class="welcome-note">
      <Icon name="info" />
      <span>
        No folder is open, so agents work in a scratch folder.{" "}
        <button type="button" class="link-button" onClick={() => post({ type: "start", way: "openFolder" })}>
          Open Folder…
        </button>
      </span>
    </p>
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
