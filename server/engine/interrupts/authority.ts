import type { Capability } from "../../../shared/contract/definition.ts";

/** The capability that interrupting the reasoning of others takes (contract, section 8). */
export const REASONING_INTERRUPT = "reasoning/interrupt";

/** A participant, and the participants that one goes through to its team. */
export interface ParticipantLocation {
  readonly name: string;
  readonly path: readonly string[];
}

export interface TeamMember extends ParticipantLocation {
  readonly capabilities: readonly Capability[];
}

/**
 * Whether one of `members` may interrupt the reasoning of another: everyone may interrupt itself (seed 004). A capability
 * reaches the members of one's own team that it names, and of a nested team that it names, everyone in it.
 */
export function mayInterruptReasoning(sender: TeamMember, target: ParticipantLocation): boolean {
  const isWithin = sender.path.every((name, at) => target.path[at] === name);
  if (!isWithin) return false;
  const [member = target.name] = target.path.slice(sender.path.length);
  if (sender.name === target.name && sender.path.length === target.path.length) return true;
  const reached = sender.capabilities.filter(({ kind }) => kind === REASONING_INTERRUPT).flatMap(({ to = [] }) => to);
  return reached.includes("*") || reached.includes(member);
}
