import type { ChatMessage } from "../contract/message.ts";
import { textOf } from "../contract/message-text.ts";
import type { ParticipantInfo, TeamSnapshot } from "../contract/team.ts";
import { ownValue } from "../json-record.ts";
import { participantPath } from "./nested-teams.ts";

/** What the team waits for the user to say. */
export interface UserQuestion {
  /** Changes with each question. */
  readonly key: string;
  /** Who asks, with the path to a nested team; null if no one has said anything. */
  readonly by: string | null;
  /** The text of the question: the last message before the user's turn. */
  readonly text: string;
  /** The user participant that the answer is from, with its path; null after a handoff that left the team. */
  readonly as: string | null;
  /** Who the answer can hand over to. */
  readonly handoffs: NonNullable<ParticipantInfo["handoffs"]>;
}

/**
 * The question that waits for the user: a user participant, of this team or a nested one, has the turn, or a handoff has
 * left the team. Null if there is none. It stays while other participants answer messages.
 */
export function userQuestionOf(team: TeamSnapshot): UserQuestion | null {
  const { awaitingUser } = team;
  if (awaitingUser === undefined) return questionAfterHandoff(team);
  const { participant, path = [] } = awaitingUser;
  const within = path.reduce<TeamSnapshot | undefined>((outer, name) => ownValue(outer?.inner, name), team);
  // The answer is there, and the turn is about to end.
  if (within?.openTurns?.some((turn) => turn.participant === participant && turn.awaits && turn.said)) return null;
  const { handoffs = [] } = within?.participants.find(({ name }) => name === participant) ?? {};
  const members = new Set(within?.participants.map(({ name }) => name));
  const isMeant = ({ source, metadata }: ChatMessage): boolean =>
    source !== participant && members.has(source) && metadata?.["to"] === undefined;
  const asked = within?.thread.findLast(isMeant);
  return {
    key: `${participantPath(path, participant)} ${asked?.id ?? ""}`,
    by: asked === undefined ? null : participantPath(path, asked.source),
    text: asked === undefined ? "" : textOf(asked),
    as: participantPath(path, participant),
    handoffs,
  };
}

function questionAfterHandoff({ status, thread, participants }: TeamSnapshot): UserQuestion | null {
  const last = thread.at(-1);
  const target = last?.metadata?.["target"];
  if (last?.type !== "HandoffMessage" || (status !== "idle" && status !== "paused")) return null;
  if (typeof target !== "string" || participants.some(({ name }) => name === target)) return null;
  return { key: last.id, by: last.source, text: textOf(last), as: null, handoffs: [] };
}

/** The question in a line: `Your turn: research › bob asks alice`. A participant that is called "you" is not named. */
export function questionTitle({ by, as }: Pick<UserQuestion, "by" | "as">): string {
  if (by === null) return as === null || as.toLowerCase() === "you" ? "Your turn" : `Your turn as ${as}`;
  return as === null || as.toLowerCase() === "you" ? `Your turn: ${by} asks` : `Your turn: ${by} asks ${as}`;
}
