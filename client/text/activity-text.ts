import type { ParticipantKind } from "../../shared/contract/definition.ts";
import type { ParticipantActivity, ParticipantInfo } from "../../shared/contract/team.ts";
import { participantKindText } from "../common/kind-text.ts";

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
};

/** The codicon of what a participant is doing or, while it is idle, of its kind. */
export function iconOf({ kind, activity }: Pick<ParticipantInfo, "kind" | "activity">): string {
  return activity === "idle" ? kindIcons[kind] : activities[activity].icon;
}

/** The participant's description in its team file, or its kind. */
export function roleOf({ description, kind }: ParticipantInfo): string {
  return description ?? participantKindText(kind);
}
