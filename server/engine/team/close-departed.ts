import type { ParticipantDefinition } from "../../../shared/contract/definition.ts";
import type { ParticipantInfo } from "../../../shared/contract/team.ts";
import { departedDrafts } from "../log/departed.ts";
import type { TeamTree } from "../run/team-tree.ts";

/**
 * Closes what participants have open that are not among `members`, here and in nested teams: when a team gets another
 * definition, or is found with something open of a participant that its definition does not have, without `members`.
 */
export function closeDeparted(tree: TeamTree, members?: readonly ParticipantDefinition[]): void {
  const { ledger, inner } = tree;
  const { participants, openTurns } = ledger.state;
  const waiting = openTurns.filter(({ participant }) => waitsWithin(tree, participant));
  for (const [name, team] of inner) {
    const kept = members?.find((member) => member.name === name)?.team?.participants ?? [];
    closeDeparted(team, members && kept);
  }
  const staying = new Set(
    participants.filter((info) => members?.some((member) => isSame(member, info)) ?? true).map(({ name }) => name),
  );
  for (const draft of departedDrafts(ledger.state, (name) => staying.has(name))) ledger.record(draft);
  for (const { id, participant } of waiting) {
    const isOpen = ledger.state.openTurns.some((turn) => turn.id === id);
    if (!isOpen || waitsWithin(tree, participant)) continue;
    // Nothing is left that the turn of the nested team waits for.
    ledger.record({ type: "reasoning/conclusion", from: participant, correlation_id: [id], interrupted: true });
  }
}

const isSame = ({ name, kind = "assistant" }: ParticipantDefinition, info: ParticipantInfo): boolean =>
  name === info.name && kind === info.kind;

/** True if a nested team waits for the user. */
function waitsWithin({ inner }: TeamTree, participant: string): boolean {
  const state = inner.get(participant)?.ledger.state;
  return state !== undefined && (state.pendingTools.length > 0 || state.awaitingUser !== undefined);
}
