import { computed } from "@preact/signals";
import type { ParticipantActivity } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { participantKindText, teamKindText } from "../../common/kind-text.ts";
import { threadName } from "../../common/thread-name.ts";
import { costText, usageText } from "../../common/usage-text.ts";
import { addressTo } from "../composer/composer-state.ts";
import { post } from "../state/editor-bridge.ts";
import { team, trusted, userTurn } from "../state/page-state.ts";
import { roster } from "../state/roster.ts";
import { accentClass } from "../text/participants.ts";
import { statusText } from "../text/run-text.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";

/** The first line of the header as JSON, so that chunks of a message do not render it again. */
const headline = computed(() => {
  const now = team.value;
  if (now === null) return null;
  return JSON.stringify({
    name: threadName(now),
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

/** The team's name, status and participants. */
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
          <span class="team-kind" title={`Speaker selection: ${kind}`}>
            {kind}
          </span>
        </span>
      </div>
      <Participants />
    </header>
  );
}

function usageTitle({ prompt, completion, total, cost }: TeamState["usage"]): string {
  const tokens = `${total.toLocaleString()} tokens used by this team: ${prompt.toLocaleString()} input, ${completion.toLocaleString()} output`;
  return cost === undefined ? tokens : `${tokens}; ${costText(cost)}`;
}

const activityTexts: Readonly<Record<ParticipantActivity, string>> = {
  idle: "",
  thinking: "thinking",
  speaking: "speaking",
  usingTools: "using tools",
  awaitingTools: "waiting for you",
};

/** A nested team that is thinking is running: its participants do more than think. */
function teamActivityText(activity: ParticipantActivity): string {
  return activity === "thinking" ? "running" : activityTexts[activity];
}

const activities = computed(() =>
  (team.value?.participants ?? []).map(({ name, activity }) => `${name}\n${activity}`).join("\n\n"),
);

const canStop = computed(() => trusted.value && team.value?.status === "running");

/** A button to message each participant, and one to stop it while it is active. */
function Participants() {
  const now = new Map(activities.value.split("\n\n").map((line) => line.split("\n") as [string, ParticipantActivity]));
  return (
    <ul class="participants" aria-label="Participants">
      {roster.value.participants.map(({ name, kind, description }) => {
        if (kind === "user") return <UserParticipant key={name} name={name} />;
        const activity =
          kind === "assistant" ? activityTexts[now.get(name) ?? "idle"] : teamActivityText(now.get(name) ?? "idle");
        const kindText = participantKindText(kind, roster.value.inner.get(name)?.participants.length);
        const parts = [`Message ${name}`, kindText, description ?? "", activity];
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

/** Stops one participant's turn; participants that speak at the same time finish theirs. */
function StopButton({ name }: { readonly name: string }) {
  const label = `Stop only ${name}`;
  return (
    <button
      type="button"
      class="icon-button stop-participant"
      title={`${label}; other speakers finish their turns`}
      aria-label={label}
      onClick={() => post({ type: "interrupt", scope: { participant: name } })}
    >
      <Icon name="stop-circle" />
    </button>
  );
}

/** A user participant. It cannot receive messages. */
function UserParticipant({ name }: { readonly name: string }) {
  const turn = userTurn.value === name;
  return (
    <li>
      <span
        class={`participant is-you ${accentClass(name, roster.value)}${turn ? " is-active" : ""}`}
        title="You speak as this participant"
      >
        <Avatar name={name} />
        <span class="participant-name">{name}</span>
        <span class="participant-activity">{turn ? "your turn" : "you"}</span>
      </span>
    </li>
  );
}
