import type { ParticipantActivity, ParticipantInfo } from "../../shared/contract/team.ts";

/** What a participant is doing, in words, and the codicon that shows it. */
export const activities: Readonly<Record<ParticipantActivity, { readonly label: string; readonly icon: string }>> = {
  idle: { label: "idle", icon: "person" },
  thinking: { label: "thinking", icon: "loading~spin" },
  speaking: { label: "speaking", icon: "comment" },
  usingTools: { label: "using tools", icon: "tools" },
  awaitingTools: { label: "waits for your ruling", icon: "bell-dot" },
};

/** The participant's role as its team file gives it. */
export function roleOf({ description, kind }: ParticipantInfo): string {
  return description ?? (kind === "assistant" ? "" : kind);
}
