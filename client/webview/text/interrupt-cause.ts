import { findMember, isSelf, otherUser } from "../../common/participants/participants.ts";
import type { Roster } from "../../common/participants/team-roster.ts";
import type { InterruptItem } from "../../common/timeline/items.ts";

/** Who or what requested an interrupt. */
export type InterruptCause =
  | { readonly kind: "user" }
  | { readonly kind: "participant"; readonly name: string }
  | { readonly kind: "rule"; readonly name: string }
  | { readonly kind: "shutdown" }
  | { readonly kind: "departed"; readonly reason: string }
  | { readonly kind: "hostStopped" };

/**
 * The `by` of the host's own interrupts, its reason when the window or the user had it shut down, and how its reason begins
 * when a run needs what went with a client.
 */
const HOST = { by: "host", shutdown: "the host is shutting down", departed: "It needs " } as const;
/** The `by` of a rule without a name. */
const UNNAMED_RULE = "watch";
/** The reason that this extension gives for the user's interrupts. */
const USER_REQUEST = "user_request";

/**
 * Participants may have any name, also one that has left the team: such a one is not the user, as it gave a reason. Events
 * of earlier versions do not say what a rule is; of these, only one without a name is known.
 */
export function interruptCause(
  { by, rule, reason }: Pick<InterruptItem, "by" | "rule" | "reason">,
  roster: Roster,
): InterruptCause {
  if (rule === true) return { kind: "rule", name: by };
  if (isParticipant(by, roster)) return { kind: "participant", name: by };
  if (by === HOST.by) return hostCause(reason);
  const other = otherUser(by, roster);
  if (other !== undefined) return { kind: "participant", name: other };
  if (isSelf(by, roster) || reason === undefined || reason === USER_REQUEST) return { kind: "user" };
  return { kind: by === UNNAMED_RULE ? "rule" : "participant", name: by };
}

function hostCause(reason: string | undefined): InterruptCause {
  if (reason?.startsWith(HOST.departed) === true) return { kind: "departed", reason };
  return { kind: reason === HOST.shutdown ? "shutdown" : "hostStopped" };
}

function isParticipant(name: string, roster: Roster): boolean {
  const member = findMember(name, roster);
  if (member !== undefined) return member.kind !== "user";
  return [...roster.inner.values()].some((inner) => isInner(name, inner));
}

function isInner(name: string, { participants, inner }: Roster): boolean {
  return participants.some((each) => each.name === name) || [...inner.values()].some((team) => isInner(name, team));
}

/** The cause as a noun: `You`, `guard`, `the rule no passwords`, `the agent host stopped`. */
export function causeName(cause: InterruptCause): string {
  switch (cause.kind) {
    case "user":
      return "You";
    case "participant":
      return cause.name;
    case "rule":
      return cause.name === UNNAMED_RULE ? "a rule of the team" : `the rule ${cause.name}`;
    case "shutdown":
      return "the window was reloaded or closed, or the host restarted";
    case "departed":
      return `it needs ${cause.reason.slice(HOST.departed.length)}`;
    case "hostStopped":
      return "the agent host stopped";
  }
}
