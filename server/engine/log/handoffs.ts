import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { handoffTarget } from "../context/handoff-message.ts";

/**
 * Who speaks next by a message that hands over; undefined for others. In a swarm, what a user participant says without
 * choosing goes back to whoever handed over to it (as AutoGen's UserProxyAgent does).
 */
export function handoffAfter(state: TeamState, message: ChatMessage): string | undefined {
  const { source } = message;
  const isUser = state.participants.some(({ name, kind }) => name === source && kind === "user");
  const isAsked = state.kind === "swarm" && isUser && state.handoffTo === source;
  return handoffTarget(message) ?? (isAsked ? whoHandedOver(state) : undefined);
}

/** Who made the last handoff; in a state of an older version, who spoke last. Undefined if it is not another participant. */
export function whoHandedOver({ participants, handoffFrom, handoffTo, lastSpeaker }: TeamState): string | undefined {
  const members = participants.flatMap(({ name }) => (name === handoffTo ? [] : [name]));
  return [handoffFrom, lastSpeaker].find((name): name is string => typeof name === "string" && members.includes(name));
}
