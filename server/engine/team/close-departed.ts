import type { ParticipantDefinition } from "../../../shared/contract/definition.ts";
import type { ParticipantInfo } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { findAddressee, stateAt } from "../log/addressee.ts";
import { departedDrafts } from "../log/departed.ts";
import type { TeamTree } from "../run/team-tree.ts";

/**
 * Closes what participants have open that are not among `members`, here and in nested teams: when a team gets another
 * definition, or is found with something open of a participant that its definition does not have, without `members`.
 * Messages that wait for one of `reachable` still wait.
 */
export function closeDeparted(
  tree: TeamTree,
  members?: readonly ParticipantDefinition[],
  reachable: readonly ParticipantDefinition[] | undefined = members,
): void {
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
  const drafts = departedDrafts(
    ledger.state,
    (name) => staying.has(name),
    (to) => canBeReached(ledger.state, to, reachable),
  );
  for (const draft of drafts) ledger.record(draft);
  for (const { id, participant } of waiting) {
    const isOpen = ledger.state.openTurns.some((turn) => turn.id === id);
    if (!isOpen || waitsWithin(tree, participant)) continue;
    // Nothing is left that the turn of the nested team waits for.
    ledger.record({ type: "reasoning/conclusion", from: participant, correlation_id: [id], interrupted: true });
  }
}

/** True if `to` names a participant, also of a nested team, that is among `members`, or that exists, without `members`. */
function canBeReached(state: TeamState, to: string, members: readonly ParticipantDefinition[] | undefined): boolean {
  const addressee = findAddressee(state, to);
  if (addressee === undefined || members === undefined) return addressee !== undefined;
  const { path, name } = addressee;
  const team = path.reduce<readonly ParticipantDefinition[]>(
    (within, outer) => within.find((member) => member.name === outer)?.team?.participants ?? [],
    members,
  );
  const info = stateAt(state, path)?.participants.find((participant) => participant.name === name);
  return info !== undefined && team.some((member) => isSame(member, info));
}

const isSame = ({ name, kind = "assistant" }: ParticipantDefinition, info: ParticipantInfo): boolean =>
  name === info.name && kind === info.kind;

/** True if a nested team waits for the user. */
function waitsWithin({ inner }: TeamTree, participant: string): boolean {
  const state = inner.get(participant)?.ledger.state;
  return state !== undefined && (state.pendingTools.length > 0 || state.awaitingUser !== undefined);
}
