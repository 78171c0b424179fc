import type { ParticipantKind, TeamKind } from "../../shared/contract/definition.ts";

/** A team's kind as one says it. */
export const teamKindText: Readonly<Record<TeamKind, string>> = {
  roundRobin: "round robin",
  selector: "selector",
  swarm: "swarm",
  graph: "graph",
  magentic: "magentic",
};

/** What a participant is beside its name: nothing for an assistant; `size` is how many its team has. */
export function participantKindText(kind: ParticipantKind, size = 0): string {
  const of = size > 0 ? ` of ${size}` : "";
  switch (kind) {
    case "assistant":
      return "";
    case "user":
      return "you";
    case "team":
      return `a team${of}`;
    case "societyOfMind":
      return `a society of mind${of}`;
  }
}
