import type { ParticipantInfo } from "../../shared/contract/team.ts";

/** Who takes part, of a team's state or of the page's roster. */
export interface Members {
  readonly participants: readonly ParticipantInfo[];
}

/** Whether a name is the user's: not one of the agents. The name itself is the user's id, which says nothing to the user. */
export function isUser(name: string, { participants }: Members): boolean {
  const participant = participants.find((candidate) => candidate.name === name);
  return participant === undefined || participant.kind === "user";
}

/** A name to show: the user's own is "You". */
export function nameOf(source: string, { participants }: Members): string {
  return participants.some(({ name }) => name === source) ? source : "You";
}

/** Those whom a message can be sent to. */
export function agentsOf({ participants }: Members): readonly ParticipantInfo[] {
  return participants.filter(({ kind }) => kind !== "user");
}

/** How many accents there are (see `styles/people.css`). */
const ACCENTS = 8;

/** A participant's accent: by its place in the team, so that neighbours differ and it never changes. */
export function accentOf(name: string, { participants }: Members): string {
  const place = participants.findIndex((participant) => participant.name === name);
  return place < 0 ? "accent-user" : `accent-${place % ACCENTS}`;
}

/** One or two letters for an avatar: `code-reviewer` is CR, `author` is A; two members never have the same by this rule alone. */
export function initialsOf(name: string, { participants }: Members): string {
  const short = shortOf(name);
  const taken = participants.some((other) => other.name !== name && shortOf(other.name) === short);
  return taken && short.length === 1 ? short + (name.replace(/[_-]/g, "").slice(1, 2).toLowerCase() || "") : short;
}

function shortOf(name: string): string {
  const words = name.split(/[_\-\s]+|(?<=\p{Ll})(?=\p{Lu})/u).filter((word) => word !== "");
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? "")
    .join("");
}
