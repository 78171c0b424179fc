import type { ParticipantKind, TeamKind } from "../../shared/contract/definition.ts";

/** The name of a team's kind, to show. */
export const teamKindText: Readonly<Record<TeamKind, string>> = {
  roundRobin: "round robin",
  selector: "selector",
  swarm: "swarm",
  graph: "graph",
  magentic: "magentic",
};

/**
 * A participant's kind, to show beside its name; empty for an assistant.
 * @param size the number of participants of its nested team, 0 if unknown.
 */
export function participantKindText(kind: ParticipantKind, size = 0): string {
  const of = size > 0 ? ` of ${size}` : "";
  switch (kind) {
    case "assistant":
      return "";
    case "user":
      return "you";
    case "team":
      return `team${of}`;
    case "societyOfMind":
      return `society of mind${of}`;
    case "acp":
      return "agent program";
    case "a2a":
      return "remote agent";
  }
}
