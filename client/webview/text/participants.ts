import type { ParticipantInfo } from "../../../shared/contract/team.ts";

/** Who takes part in a team, and, for a nested one, in the team around it. */
export interface Members {
  readonly participants: readonly ParticipantInfo[];
  readonly parent?: Members;
}

/** The source of what a magentic team's manager says, beside a participant of that name too: no participant, and not the user. */
const ORCHESTRATOR = /^orchestrator_?$/;

/** The participant of that name, in this team or in those around it. */
export function findMember(name: string, { participants, parent: around }: Members): ParticipantInfo | undefined {
  const own = participants.find((participant) => participant.name === name);
  return own ?? (around === undefined ? undefined : findMember(name, around));
}

export function isOrchestrator(name: string, members: Members): boolean {
  return ORCHESTRATOR.test(name) && findMember(name, members) === undefined;
}

/** Whether a name is the user's: not one of the agents. The name itself is the user's id, which says nothing to the user. */
export function isUser(name: string, members: Members): boolean {
  const participant = findMember(name, members);
  return participant === undefined ? !isOrchestrator(name, members) : participant.kind === "user";
}

/** Whether what somebody says is this team's own talk, and not what a nested team was given. */
export function isOwnSpeaker(name: string, members: Members): boolean {
  return members.participants.some((participant) => participant.name === name) || isOrchestrator(name, members);
}

/** A name to show: the user's own is "You". */
export function displayName(source: string, members: Members): string {
  return findMember(source, members) !== undefined || isOrchestrator(source, members) ? source : "You";
}

/** Those whom a message can be sent to. */
export function agentsOf({ participants }: Members): readonly ParticipantInfo[] {
  return participants.filter(({ kind }) => kind !== "user");
}

/** How many accents there are (see `ui/participant-colors.css`). */
const ACCENTS = 8;

/** A participant's accent: by its place in the team, so that neighbours differ and it never changes. */
export function accentClass(name: string, { participants, parent: around }: Members): string {
  const place = participants.findIndex((participant) => participant.name === name);
  if (place >= 0) return `accent-${place % ACCENTS}`;
  return around === undefined ? "accent-user" : accentClass(name, around);
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
