import { computed } from "@preact/signals";
import type { ParticipantActivity } from "../../shared/contract/team.ts";
import type { TeamState } from "../../shared/team-state.ts";
import { Avatar } from "./avatar.tsx";
import { addressed } from "./composer-state.ts";
import { team } from "./page-state.ts";
import { accentOf, agentsOf } from "./people.ts";
import { roster } from "./roster.ts";
import { shortNumber, statusText } from "./words.ts";

/** What the header shows of the team; a text, so that chunks of a message do not redraw it. */
const headline = computed(() => {
  const now = team.value;
  if (now === null) return null;
  return JSON.stringify({
    name: now.name,
    status: now.status,
    text: statusText(now),
    tokens: now.usage.total,
    turn: now.turn,
  });
});

interface Headline {
  readonly name: string;
  readonly status: TeamState["status"];
  readonly text: string;
  readonly tokens: number;
}

/** The team, how it is, and who is in it. */
export function TeamHeader() {
  if (headline.value === null) return null;
  const { name, status, text, tokens } = JSON.parse(headline.value) as Headline;
  return (
    <header class="team-header">
      <div class="team-line">
        <h1 class="team-name">{name}</h1>
        <span class={`status is-${status}`}>
          <span class="status-dot" aria-hidden="true" />
          {text}
        </span>
        {tokens > 0 && (
          <span class="tokens" title={`${tokens.toLocaleString()} tokens used by this team`}>
            {shortNumber(tokens)} tokens
          </span>
        )}
      </div>
      <Participants />
    </header>
  );
}

const doing: Readonly<Record<ParticipantActivity, string>> = {
  idle: "",
  thinking: "thinking",
  speaking: "speaking",
  usingTools: "using tools",
  awaitingTools: "waits for you",
};

const activities = computed(() =>
  (team.value?.participants ?? []).map(({ name, activity }) => `${name}\n${activity}`).join("\n\n"),
);

/** Each participant is a button that addresses it. */
function Participants() {
  const now = new Map(activities.value.split("\n\n").map((line) => line.split("\n") as [string, ParticipantActivity]));
  return (
    <ul class="participants" aria-label="Participants">
      {agentsOf(roster.value).map(({ name, description }) => {
        const activity = doing[now.get(name) ?? "idle"] ?? "";
        const title = [`Write to ${name}`, description ?? "", activity].filter((part) => part !== "").join(" · ");
        return (
          <li key={name}>
            <button
              type="button"
              class={`participant ${accentOf(name, roster.value)}${activity === "" ? "" : " is-active"}`}
              title={title}
              aria-label={title}
              onClick={() => addressed(name)}
            >
              <Avatar name={name} />
              <span class="participant-name">{name}</span>
              {activity !== "" && <span class="participant-doing">{activity}</span>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
