import type { ParticipantInfo } from "../../../shared/contract/team.ts";
import { shortOf } from "./initials.ts";

/** The participants of a team and, for a nested one, those of its outer team. */
export interface Participants {
  readonly participants: readonly ParticipantInfo[];
  /** The names of those who have left. */
  readonly former?: readonly string[] | undefined;
  /** The names of the other users of the outermost team, by their ids. */
  readonly others?: ReadonlyMap<string, string>;
  /** The id of the user of this window, of the outermost team. */
  readonly user?: string;
  readonly parent?: Participants;
}

/** The participants with what their avatars say. */
export interface Members extends Participants {
  /** By the participant's name. */
  readonly initials: ReadonlyMap<string, string>;
  readonly parent?: Members;
}

/** The source of a Magentic manager's messages, neither participant nor user; with `_` if a participant has that name. */
const ORCHESTRATOR = /^orchestrator_?$/;

/** The participant of that name, in this team or an outer one. */
export function findMember(name: string, { participants, parent }: Participants): ParticipantInfo | undefined {
  const own = participants.find((participant) => participant.name === name);
  return own ?? (parent === undefined ? undefined : findMember(name, parent));
}

export function isOrchestrator(name: string, members: Participants): boolean {
  return ORCHESTRATOR.test(name) && findMember(name, members) === undefined;
}

/** Whether a source was a participant of this team, or an outer one, and has left. */
function isFormer(name: string, { former = [], parent }: Participants): boolean {
  return former.includes(name) || (parent !== undefined && isFormer(name, parent));
}

/** Whether a message's source is the user: a user participant, or the id under which the user sends messages. */
export function isUser(name: string, members: Participants): boolean {
  const participant = findMember(name, members);
  if (participant !== undefined) return participant.kind === "user";
  return !isOrchestrator(name, members) && !isFormer(name, members);
}

/** Whether a source speaks in this team itself; a nested team also receives messages of its outer team. */
export function isOwnSpeaker(name: string, members: Participants): boolean {
  const { participants, former = [] } = members;
  const isMember = participants.some((participant) => participant.name === name);
  return isMember || former.includes(name) || isOrchestrator(name, members);
}

/** The name to show for a source: "You" for the user's id, the name of another user for theirs. */
export function displayName(source: string, members: Participants): string {
  const isNamed = findMember(source, members) !== undefined || isFormer(source, members);
  return isNamed || isOrchestrator(source, members) ? source : (otherUser(source, members) ?? "You");
}

/** The name to show within a sentence. */
export function nameInSentence(source: string, members: Participants): string {
  const name = displayName(source, members);
  return name === "You" ? "you" : name;
}

/** The name of another user than the one of this window; undefined for a source that is none. */
export const otherUser = (source: string, { others, parent }: Participants): string | undefined =>
  others?.get(source) ?? (parent === undefined ? undefined : otherUser(source, parent));

/** Whether an id is that of the user of this window. */
export const isSelf = (source: string, { user, parent }: Participants): boolean =>
  user === source || (parent !== undefined && isSelf(source, parent));

/** The participants that can receive a message. */
export function agentsOf({ participants }: Participants): readonly ParticipantInfo[] {
  return participants.filter(({ kind }) => kind !== "user");
}

/** The number of accents in the page's `participant-colors.css`. */
const ACCENTS = 8;

/** The number of a participant's accent, by its position in the team: neighbours differ and it never changes. */
export function accentOf(name: string, { participants, former = [], parent }: Participants): number | undefined {
  const place = participants.findIndex((participant) => participant.name === name);
  if (place >= 0) return place % ACCENTS;
  const left = former.indexOf(name);
  if (left >= 0) return (participants.length + left) % ACCENTS;
  return parent === undefined ? undefined : accentOf(name, parent);
}

/** The class of a participant's accent. */
export const accentClass = (name: string, members: Participants): string =>
  `accent-${accentOf(name, members) ?? "user"}`;

/** One or two letters for an avatar, of this team's participant or an outer one's. */
export function initialsOf(name: string, { initials, parent }: Members): string {
  const own = initials.get(name);
  if (own !== undefined) return own;
  return parent === undefined ? shortOf(name) : initialsOf(name, parent);
}
