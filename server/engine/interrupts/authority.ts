import type { Capability } from "../../../shared/contract/definition.ts";
import { startsWith } from "../paths.ts";

/** The capability to interrupt the reasoning of others. */
export const REASONING_INTERRUPT = "reasoning/interrupt";

/** A participant, or a monitor of a team, and the path of participants that leads to the team. */
export interface ParticipantLocation {
  readonly name: string;
  readonly path: readonly string[];
}

export interface TeamMember extends ParticipantLocation {
  readonly capabilities: readonly Capability[];
}

/** How often in a minute a capability allows its owner to interrupt reasoning, unless it says otherwise. */
const INTERRUPTS_PER_MINUTE = 6;

/**
 * How often in a minute `sender` may interrupt the reasoning of `target`: 0 if it may not, without a limit if it is the
 * target itself. A capability covers the members of the sender's own team that it names, and everyone in a nested team that
 * it names.
 */
export function reasoningInterruptsPerMinute(sender: TeamMember, target: ParticipantLocation): number {
  if (!startsWith(target.path, sender.path)) return 0;
  const [member = target.name] = target.path.slice(sender.path.length);
  if (sender.name === target.name && sender.path.length === target.path.length) return Number.POSITIVE_INFINITY;
  const limits = sender.capabilities.flatMap(({ kind, to = [], maxPerMinute = INTERRUPTS_PER_MINUTE }) => {
    const covers = [to].flat().some((name) => name === "*" || name === member);
    return kind === REASONING_INTERRUPT && covers ? [maxPerMinute] : [];
  });
  return Math.max(0, ...limits);
}
