import type { ParticipantDefinition, TeamDefinition } from "../../../../shared/contract/definition.ts";

/** The participants of a team with their roles, one per line. */
export function describeRoles({ participants }: TeamDefinition): string {
  return participants.map((participant) => `${participant.name}: ${describeRole(participant)}`).join("\n");
}

function describeRole({ description, kind, team }: ParticipantDefinition): string {
  const text = description ?? team?.description;
  if (text !== undefined) return text.replace(/\s+/g, " ").trim();
  if (kind === "user") return "the human user.";
  if (team !== undefined) return `a team of ${team.participants.map(({ name }) => name).join(", ")}.`;
  return "a participant.";
}
