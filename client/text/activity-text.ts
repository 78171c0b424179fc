import type { ParticipantKind } from "../../shared/contract/definition.ts";
import type { DurableEvent } from "../../shared/contract/event.ts";
import { firstLine } from "../../shared/contract/message-text.ts";
import type { ParticipantActivity, ParticipantInfo } from "../../shared/contract/team.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { busyParticipants, participantPath } from "../../shared/text/nested-teams.ts";
import { participantKindText } from "../common/kind-text.ts";
import { type Activity, activityAt, activityOf } from "../common/participants/participant-activity.ts";

/** What a participant is doing: the label and the codicon. */
export const activities: Readonly<Record<ParticipantActivity, { readonly label: string; readonly icon: string }>> = {
  idle: { label: "idle", icon: "person" },
  thinking: { label: "thinking", icon: "loading~spin" },
  speaking: { label: "writing", icon: "comment" },
  usingTools: { label: "using tools", icon: "tools" },
  awaitingTools: { label: "needs your decision", icon: "bell-dot" },
};

/** The codicon of each kind of participant while it is idle. */
const kindIcons: Readonly<Record<ParticipantKind, string>> = {
  assistant: "person",
  user: "account",
  team: "organization",
  societyOfMind: "lightbulb",
  acp: "robot",
  a2a: "globe",
};

/** The codicon of what a participant is doing or, while it is idle, of its kind. */
export function iconOf({ kind, activity }: Pick<ParticipantInfo, "kind" | "activity">): string {
  return activity === "idle" ? kindIcons[kind] : activities[activity].icon;
}

/** The participant's description in its team file, or its kind. */
export function roleOf({ description, kind }: ParticipantInfo): string {
  return description ?? participantKindText(kind);
}

/** A tool can have any name, and nothing cuts a text in the status bar or in a label for screen readers. */
const MAX_LENGTH = 60;

/**
 * What a participant of a team is doing, as its chip in the chat says: `calling runCommand +1`.
 * @param events the last events of the team; those of a nested team are not needed.
 */
export function activityText(team: TeamState, name: string, events: readonly DurableEvent[] = []): string {
  return shortText(activityOf(team, name, events));
}

const shortText = (activity: Activity | null): string => firstLine(activity?.text ?? activities.idle.label, MAX_LENGTH);

/** The active participant of a team or of its nested teams and what it does, or how many are; empty if none is. */
export function teamActivityText(state: TeamState): string {
  const [first, ...others] = busyParticipants(state);
  if (first === undefined) return "";
  if (others.length > 0) return `${others.length + 1} active`;
  const { path, name } = first;
  return `${participantPath(path, name)}, ${shortText(activityAt(state, path, name))}`;
}
