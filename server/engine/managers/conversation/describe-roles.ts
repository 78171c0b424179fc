import type { ParticipantDefinition, TeamDefinition } from "../../../../shared/contract/definition.ts";

/** Who is in the team and what for, one to a line. */
export function describeRoles({ participants }: TeamDefinition): string {
  return participants.map((participant) => `${participant.name}: ${describeRole(participant)}`).join("\n");
}

function describeRole({ description, kind, team }: ParticipantDefinition): string {
  const told = description ?? team?.description;
  if (told !== undefined) return told.replace(/\s+/g, " ").trim();
  if (kind === "user") return "the user, a person.";
  if (team !== undefined) return `a team of ${team.participants.map(({ name }) => name).join(", ")}.`;
  return "a participant.";
}
