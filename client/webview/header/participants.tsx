import { computed } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { ParticipantActivity, ParticipantInfo } from "../../../shared/contract/team.ts";
import { participantKindText } from "../../common/kind-text.ts";
import { accentClass } from "../../common/participants/participants.ts";
import { addressTo } from "../composer/composer-state.ts";
import { post } from "../state/editor-bridge.ts";
import { team, trusted, userTurn } from "../state/page-state.ts";
import { roster } from "../state/roster.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { MenuButton } from "../ui/menu.tsx";
import { useLeftOver } from "./left-over-chips.tsx";

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

/**
 * A button to message each participant, and one to stop it while it is active. Two lines, one in a low page; a menu has
 * those left over.
 */
export function Participants() {
  const list = useRef<HTMLUListElement>(null);
  const leftOver = useLeftOver(list);
  const { participants } = roster.value;
  const others = participants.filter((_, index) => leftOver.has(index));
  const now = new Map(activities.value.split("\n\n").map((line) => line.split("\n") as [string, ParticipantActivity]));
  const activityOf = ({ name, kind }: ParticipantInfo): string => {
    const activity = now.get(name) ?? "idle";
    return kind === "assistant" ? activityTexts[activity] : teamActivityText(activity);
  };
  return (
    <ul ref={list} class="participants" aria-label="Participants">
      {participants.map((participant, index) => (
        <li key={participant.name} data-chip class={leftOver.has(index) ? "is-left-over" : ""}>
          {participant.kind === "user" ? (
            <UserParticipant name={participant.name} />
          ) : (
            <ParticipantChip participant={participant} activity={activityOf(participant)} />
          )}
        </li>
      ))}
      {others.length > 0 && (
        <li>
          <MenuButton
            label={`${others.length} more participants: ${others.map(({ name }) => name).join(", ")}`}
            class="participant more-participants"
            content={`+${others.length}`}
          >
            {(close) =>
              others.map((participant) => (
                <OtherParticipant
                  key={participant.name}
                  participant={participant}
                  activity={participant.kind === "user" ? "you" : activityOf(participant)}
                  close={close}
                />
              ))
            }
          </MenuButton>
        </li>
      )}
    </ul>
  );
}

interface ParticipantProps {
  readonly participant: ParticipantInfo;
  readonly activity: string;
}

/** What a chip does and shows, for its tooltip and for screen readers. It begins as the chip does, for voice control. */
function chipTitle(participant: ParticipantInfo, activity: string): string {
  const { name, kind, description } = participant;
  const kindText = participantKindText(kind, roster.value.inner.get(name)?.participants.length);
  return [`Message ${name}`, activity, kindText, description ?? ""].filter((part) => part !== "").join(" · ");
}

/** What VS Code's context menu of a chip is about. */
const chipContext = (to: string): string =>
  JSON.stringify({ webviewSection: "gavelParticipant", to, preventDefaultContextMenuItems: true });

function ParticipantChip({ participant, activity }: ParticipantProps) {
  const { name } = participant;
  const title = chipTitle(participant, activity);
  return (
    <>
      <button
        type="button"
        class={`participant ${accentClass(name, roster.value)}${activity === "" ? "" : " is-active"}`}
        title={title}
        aria-label={title}
        data-vscode-context={chipContext(name)}
        onClick={() => addressTo(name)}
      >
        <Avatar name={name} />
        <span class="participant-name">{name}</span>{" "}
        {activity !== "" && <span class="participant-activity">{activity}</span>}
      </button>
      {activity !== "" && canStop.value && <StopButton name={name} />}
    </>
  );
}

/** A participant in the menu of those without a chip. */
function OtherParticipant({ participant, activity, close }: ParticipantProps & { readonly close: () => void }) {
  const { name, kind } = participant;
  return (
    <button
      type="button"
      class={`menu-item other-participant ${accentClass(name, roster.value)}`}
      role="menuitem"
      tabIndex={-1}
      aria-disabled={kind === "user"}
      title={kind === "user" ? `You speak as ${name}` : chipTitle(participant, activity)}
      onClick={() => {
        close();
        if (kind !== "user") addressTo(name);
      }}
    >
      <Avatar name={name} />
      <span class="participant-name">{name}</span>
      {activity !== "" && <span class="other-activity">{activity}</span>}
    </button>
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
    <span
      class={`participant is-you ${accentClass(name, roster.value)}${turn ? " is-active" : ""}`}
      title={`You speak as ${name}`}
    >
      <Avatar name={name} />
      <span class="participant-name">{name}</span>
      <span class="participant-activity">{turn ? "your turn" : "you"}</span>
    </span>
  );
}
