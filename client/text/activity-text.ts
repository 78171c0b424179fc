import type { ParticipantKind } from "../../shared/contract/definition.ts";
import type { ParticipantActivity, ParticipantInfo } from "../../shared/contract/team.ts";
import { participantKindText } from "../common/kind-text.ts";

/** What a participant is doing, in words, and the codicon that shows it. */
export const activities: Readonly<Record<ParticipantActivity, { readonly label: string; readonly icon: string }>> = {
  idle: { label: "idle", icon: "person" },
  thinking: { label: "thinking", icon: "loading~spin" },
  speaking: { label: "speaking", icon: "comment" },
  usingTools: { label: "using tools", icon: "tools" },
  awaitingTools: { label: "waits for your ruling", icon: "bell-dot" },
};

/** The codicon of each kind of participant while it does nothing. */
const kindIcons: Readonly<Record<ParticipantKind, string>> = {
  assistant: "person",
  user: "account",
  team: "organization",
  societyOfMind: "lightbulb",
};

/** The codicon that shows what a participant is doing, or what it is while it does nothing. */
export function iconOf({ kind, activity }: Pick<ParticipantInfo, "kind" | "activity">): string {
  return activity === "idle" ? kindIcons[kind] : activities[activity].icon;
}

/** The participant's role as its team file gives it, else what kind of participant it is. */
export function roleOf({ description, kind }: ParticipantInfo): string {
  return description ?? participantKindText(kind);
}
