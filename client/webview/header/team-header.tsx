import { computed } from "@preact/signals";
import type { ParticipantActivity } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { participantKindText, teamKindText } from "../../common/kind-text.ts";
import { costText, usageText } from "../../common/usage-text.ts";
import { addressTo } from "../composer/composer-state.ts";
import { post } from "../state/editor-bridge.ts";
import { team, trusted, userTurn } from "../state/page-state.ts";
import { roster } from "../state/roster.ts";
import { accentClass } from "../text/participants.ts";
import { statusText } from "../text/run-text.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";

/** What the header shows of the team; a text, so that chunks of a message do not redraw it. */
const headline = computed(() => {
  const now = team.value;
  if (now === null) return null;
  return JSON.stringify({
    name: now.name,
    status: now.status,
    text: statusText(now),
    kind: teamKindText[now.kind],
    usage: now.usage,
  });
});

interface Headline {
  readonly name: string;
  readonly status: TeamState["status"];
  readonly text: string;
  readonly kind: string;
  readonly usage: TeamState["usage"];
}

/** The team, how it is, and who is in it. */
export function TeamHeader() {
  if (headline.value === null) return null;
  const { name, status, text, kind, usage } = JSON.parse(headline.value) as Headline;
  return (
    <header class="team-header">
      <div class="team-line">
        <h1 class="team-name">{name}</h1>
        <span class={`status is-${status}`}>
          <span class="status-dot" aria-hidden="true" />
          {text}
        </span>
        <span class="team-info">
          {usage.total > 0 && (
            <span class="tokens" title={usageTitle(usage)}>
              {usageText(usage)}
            </span>
          )}
          <span class="team-kind" title={`Who speaks when: ${kind}`}>
            {kind}
          </span>
        </span>
      </div>
      <Participants />
    </header>
  );
}

function usageTitle({ prompt, completion, total, cost }: TeamState["usage"]): string {
  const tokens = `${total.toLocaleString()} tokens used by this team: ${prompt.toLocaleString()} read, ${completion.toLocaleString()} written`;
  return cost === undefined ? tokens : `${tokens}; ${costText(cost)}`;
}

const doing: Readonly<Record<ParticipantActivity, string>> = {
  idle: "",
  thinking: "thinking",
  speaking: "speaking",
  usingTools: "using tools",
  awaitingTools: "waits for you",
};

/** What a nested team does is more than to think. */
function doingAsTeam(activity: ParticipantActivity): string {
  return activity === "thinking" ? "at work" : doing[activity];
}

const activities = computed(() =>
  (team.value?.participants ?? []).map(({ name, activity }) => `${name}\n${activity}`).join("\n\n"),
);

const canStop = computed(() => trusted.value && team.value?.status === "running");

/** Each participant is a button that addresses it; beside one that is at work stands another, which stops it. */
function Participants() {
  const now = new Map(activities.value.split("\n\n").map((line) => line.split("\n") as [string, ParticipantActivity]));
  return (
    <ul class="participants" aria-label="Participants">
      {roster.value.participants.map(({ name, kind, description }) => {
        if (kind === "user") return <UserParticipant key={name} name={name} />;
        const activity = kind === "assistant" ? doing[now.get(name) ?? "idle"] : doingAsTeam(now.get(name) ?? "idle");
        const whatItIs = participantKindText(kind, roster.value.inner.get(name)?.participants.length);
        const parts = [`Write to ${name}`, whatItIs, description ?? "", activity];
        const title = parts.filter((part) => part !== "").join(" · ");
        return (
          <li key={name}>
            <button
              type="button"
              class={`participant ${accentClass(name, roster.value)}${activity === "" ? "" : " is-active"}`}
              title={title}
              aria-label={title}
              onClick={() => addressTo(name)}
            >
              <Avatar name={name} />
              <span class="participant-name">{name}</span>
              {activity !== "" && <span class="participant-activity">{activity}</span>}
            </button>
            {activity !== "" && canStop.value && <StopButton name={name} />}
          </li>
        );
      })}
    </ul>
  );
}

/** Stops one participant's turn; those who speak beside it end theirs. */
function StopButton({ name }: { readonly name: string }) {
  const label = `Stop ${name} alone`;
  return (
    <button
      type="button"
      class="icon-button stop-participant"
      title={`${label}; whoever speaks beside it ends its turn`}
      aria-label={label}
      onClick={() => post({ type: "interrupt", scope: { participant: name } })}
    >
      <Icon name="stop-circle" />
    </button>
  );
}

/** A participant that the user speaks for can not be written to. */
function UserParticipant({ name }: { readonly name: string }) {
  const turn = userTurn.value === name;
  return (
    <li>
      <span
        class={`participant is-you ${accentClass(name, roster.value)}${turn ? " is-active" : ""}`}
        title="You speak for it"
      >
        <Avatar name={name} />
        <span class="participant-name">{name}</span>
        <span class="participant-activity">{turn ? "your turn" : "you"}</span>
      </span>
    </li>
  );
}
