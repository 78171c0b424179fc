import type { PlacedParticipant, WaitingTool } from "../../../shared/contract/stopped.ts";
import type { InterruptScope, PendingTool } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { pathField, startsWith } from "../paths.ts";
import type { Addressee } from "./addressee.ts";

/** The waiting calls of a team and its nested teams that an interrupt of that scope takes along. */
export function waitingCalls({ pendingTools }: TeamState, scope: InterruptScope | undefined): readonly PendingTool[] {
  if (scope === undefined) return pendingTools;
  if ("ref" in scope) return pendingTools.filter(({ ref }) => ref === scope.ref);
  const place = placeOf(pendingTools, scope);
  return place === undefined ? [] : within(pendingTools, place);
}

/** The calls whose decision an addressee waits for: its own and, if it is a nested team, those within. */
export const callsOf = ({ pendingTools }: TeamState, { path, name }: Addressee): readonly PendingTool[] =>
  within(pendingTools, [...path, name]);

/** A call as receipts and previews name it. */
export const waitingTool = ({ ref, name, participant, path }: PendingTool): WaitingTool => ({
  ref,
  name,
  participant,
  ...pathField(path),
});

/** The place of that participant, or of the first of its name that waits. */
function placeOf(calls: readonly PendingTool[], { participant, path }: PlacedParticipant): string[] | undefined {
  if (path !== undefined) return [...path, participant];
  for (const call of calls) {
    const place = pathTo(call);
    const at = place.indexOf(participant);
    if (at >= 0) return place.slice(0, at + 1);
  }
  return undefined;
}

const within = (calls: readonly PendingTool[], place: readonly string[]): PendingTool[] =>
  calls.filter((call) => startsWith(pathTo(call), place));

const pathTo = ({ path = [], participant }: PendingTool): string[] => [...path, participant];
