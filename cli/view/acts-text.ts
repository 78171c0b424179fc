import type { TeamEvent } from "../../shared/contract/event.ts";
import { nameOf } from "../../shared/state/people.ts";
import type { Look } from "./look.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;

/** Beside what the own user has done in another client. */
export const ELSEWHERE = "in another client";

/** Where an act was done, and who the users are. */
interface Where {
  readonly isElsewhere: boolean;
  readonly people: Look["people"];
  /** The own user. */
  readonly user: string;
}

/** What somebody else, or the own user in another client, has decided about a call; undefined for what was decided here. */
export function decisionText(
  event: EventOf<"tool/resolved"> | EventOf<"tool/approved">,
  call: string,
  where: Where,
): string | undefined {
  const who = whoText(event.by, where);
  if (who === undefined) return undefined;
  if (event.type === "tool/approved") return `${who} approved ${call}, one of ${event.required} approvals`;
  const reason = event.reason === undefined ? "" : `: ${event.reason}`;
  return `${who} ${DECIDED[event.how]} ${call}${reason}`;
}

const DECIDED = { respond: "answered", restart: "approved", deny: "denied" } as const;

/** Who has interrupted the team, if that is another user, or the own one in another client. */
export function interruptedBy({ by, rule }: EventOf<"interrupt/requested">, where: Where): string | undefined {
  const isUser = by === where.user || where.people?.some(({ id }) => id === by) === true;
  const who = rule === true || !isUser ? undefined : whoText(by, where);
  return who === undefined ? undefined : `${who} interrupted the team`;
}

/** The name of a user who says something; that of a participant is its path. */
export function personName(source: string, { people = [], participants }: Look): string {
  return participants.some(({ name }) => name === source) ? source : nameOf({ people }, source);
}

function whoText(by: string, { isElsewhere, people, user }: Where): string | undefined {
  if (by === user) return isElsewhere ? `You, ${ELSEWHERE},` : undefined;
  return nameOf({ people: people ?? [] }, by);
}
