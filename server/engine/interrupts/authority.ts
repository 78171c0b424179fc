import type { Capability } from "../../../shared/contract/definition.ts";

/** The capability to interrupt the reasoning of others. */
export const REASONING_INTERRUPT = "reasoning/interrupt";

/** A participant, and the path of participants that leads to its team. */
export interface ParticipantLocation {
  readonly name: string;
  readonly path: readonly string[];
}

export interface TeamMember extends ParticipantLocation {
  readonly capabilities: readonly Capability[];
}

/**
 * Whether `sender` may interrupt the reasoning of `target`; every participant may interrupt itself. A capability covers the
 * members of the sender's own team that it names, and everyone in a nested team that it names.
 */
export function mayInterruptReasoning(sender: TeamMember, target: ParticipantLocation): boolean {
  const isWithin = sender.path.every((name, at) => target.path[at] === name);
  if (!isWithin) return false;
  const [member = target.name] = target.path.slice(sender.path.length);
  if (sender.name === target.name && sender.path.length === target.path.length) return true;
  const allowed = sender.capabilities.filter(({ kind }) => kind === REASONING_INTERRUPT).flatMap(({ to = [] }) => to);
  return allowed.includes("*") || allowed.includes(member);
}
