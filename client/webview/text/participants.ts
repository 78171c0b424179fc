import type { ParticipantInfo } from "../../../shared/contract/team.ts";

/** The participants of a team and, for a nested one, those of its outer team. */
export interface Members {
  readonly participants: readonly ParticipantInfo[];
  readonly parent?: Members;
}

/** The source of a Magentic manager's messages, neither participant nor user; with `_` if a participant has that name. */
const ORCHESTRATOR = /^orchestrator_?$/;

/** The participant of that name, in this team or an outer one. */
export function findMember(name: string, { participants, parent }: Members): ParticipantInfo | undefined {
  const own = participants.find((participant) => participant.name === name);
  return own ?? (parent === undefined ? undefined : findMember(name, parent));
}

export function isOrchestrator(name: string, members: Members): boolean {
  return ORCHESTRATOR.test(name) && findMember(name, members) === undefined;
}

/** Whether a message's source is the user: a user participant, or the id under which the user sends messages. */
export function isUser(name: string, members: Members): boolean {
  const participant = findMember(name, members);
  return participant === undefined ? !isOrchestrator(name, members) : participant.kind === "user";
}

/** Whether a source speaks in this team itself; a nested team also receives messages of its outer team. */
export function isOwnSpeaker(name: string, members: Members): boolean {
  return members.participants.some((participant) => participant.name === name) || isOrchestrator(name, members);
}

/** The name to show for a source: "You" for the user's id. */
export function displayName(source: string, members: Members): string {
  return findMember(source, members) !== undefined || isOrchestrator(source, members) ? source : "You";
}

/** The participants that can receive a message. */
export function agentsOf({ participants }: Members): readonly ParticipantInfo[] {
  return participants.filter(({ kind }) => kind !== "user");
}

/** The number of accents in `ui/participant-colors.css`. */
const ACCENTS = 8;

/** The class of a participant's accent, by its position in the team: neighbours differ and it never changes. */
export function accentClass(name: string, { participants, parent }: Members): string {
  const place = participants.findIndex((participant) => participant.name === name);
  if (place >= 0) return `accent-${place % ACCENTS}`;
  return parent === undefined ? "accent-user" : accentClass(name, parent);
}

/** One or two letters for an avatar: `code-reviewer` is CR, `author` is A, or Au when another participant is A. */
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
