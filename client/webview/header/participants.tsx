import { computed } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { ParticipantInfo } from "../../../shared/contract/team.ts";
import { participantKindText } from "../../common/kind-text.ts";
import { type Activity, activityOf } from "../../common/participants/participant-activity.ts";
import { accentClass } from "../../common/participants/participants.ts";
import { addressTo } from "../composer/composer-state.ts";
import { post } from "../state/editor-bridge.ts";
import { canAct, isObserver } from "../state/own-role.ts";
import { team, timeline, userTurn } from "../state/page-state.ts";
import { roster } from "../state/roster.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { MenuButton } from "../ui/menu.tsx";
import { useLeftOver } from "./left-over-chips.tsx";

const icons: Readonly<Record<Activity["kind"], IconName>> = {
  thinking: "lightbulb",
  limited: "watch",
  summarizing: "fold",
  writing: "edit",
  tools: "tools",
  team: "organization",
  approval: "shield",
  question: "question",
  user: "account",
  failed: "error",
};

/** What each participant does, as JSON: chunks of messages do not change it, and so render nothing. */
const activities = computed(() => {
  const now = team.value;
  if (now === null) return "[]";
  const { events } = timeline.value;
  return JSON.stringify(now.participants.map(({ name }) => activityOf(now, name, events)));
});

const canStop = computed(() => canAct.value && team.value?.status === "running");

/**
 * A button to message each participant, and one to stop it while it is active. Two lines, one in a low page; a menu has
 * those left over.
 */
export function Participants() {
  const list = useRef<HTMLUListElement>(null);
  const leftOver = useLeftOver(list);
  const { participants } = roster.value;
  const others = participants.filter((_, index) => leftOver.has(index));
  const now = JSON.parse(activities.value) as readonly (Activity | null)[];
  return (
    <ul ref={list} class="participants" aria-label="Participants">
      {participants.map((participant, index) => (
        <li key={participant.name} data-chip class={leftOver.has(index) ? "is-left-over" : ""}>
          {participant.kind === "user" ? (
            <UserParticipant name={participant.name} />
          ) : (
            <ParticipantChip participant={participant} activity={now[index] ?? null} />
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
              participants.map(
                (participant, index) =>
                  leftOver.has(index) && (
                    <OtherParticipant
                      key={participant.name}
                      participant={participant}
                      activity={now[index] ?? null}
                      close={close}
                    />
                  ),
              )
            }
          </MenuButton>
        </li>
      )}
    </ul>
  );
}

interface ParticipantProps {
  readonly participant: ParticipantInfo;
  readonly activity: Activity | null;
}

/** What a chip does and shows, for its tooltip and for screen readers. It begins as the chip does, for voice control. */
function chipTitle(participant: ParticipantInfo, activity: Activity | null): string {
  const { name, kind, description } = participant;
  const kindText = participantKindText(kind, roster.value.inner.get(name)?.participants.length);
  return [isObserver.value ? name : `Message ${name}`, activity?.full ?? "", kindText, description ?? ""]
    .filter((part) => part !== "")
    .join(" · ");
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
        class={`participant ${accentClass(name, roster.value)}${stateClass(activity)}`}
        title={title}
        aria-label={title}
        aria-disabled={isObserver.value || undefined}
        data-vscode-context={isObserver.value ? undefined : chipContext(name)}
        onClick={() => addressTo(name)}
      >
        <Avatar name={name} />
        <span class="participant-name">{name}</span> {activity !== null && <ChipActivity {...activity} />}
      </button>
      {canStop.value && isWorking(activity) && <StopButton name={name} />}
    </>
  );
}

/** Its turn is under way, or waits for the user; a failed one is over. */
const isWorking = (activity: Activity | null): boolean => activity !== null && activity.kind !== "failed";

function stateClass(activity: Activity | null): string {
  if (activity === null) return "";
  return isWorking(activity) ? ` is-active is-${activity.kind}` : " is-failed";
}

/** In a narrow page, only the icon. */
function ChipActivity({ kind, text }: Activity) {
  return (
    <span class="participant-activity">
      <Icon name={icons[kind]} />
      <span class="activity-words">{text}</span>
    </span>
  );
}

/** A participant in the menu of those without a chip. */
function OtherParticipant({ participant, activity, close }: ParticipantProps & { readonly close: () => void }) {
  const { name, kind } = participant;
  const shown = kind === "user" ? "you" : activity?.text;
  return (
    <button
      type="button"
      class={`menu-item other-participant ${accentClass(name, roster.value)}`}
      role="menuitem"
      tabIndex={-1}
      aria-disabled={kind === "user" || undefined}
      title={kind === "user" ? `You speak as ${name}` : chipTitle(participant, activity)}
      onClick={() => {
        close();
        if (kind !== "user") addressTo(name);
      }}
    >
      <Avatar name={name} />
      <span class="participant-name">{name}</span>
      {shown !== undefined && <span class="other-activity">{shown}</span>}
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
      <span class="participant-activity">
        {turn && <Icon name="account" />}
        <span class="activity-words">{turn ? "your turn" : "you"}</span>
      </span>
    </span>
  );
}
