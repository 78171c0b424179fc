import { unknownParticipant } from "../../../shared/contract/errors.ts";
import { ownValue } from "../../../shared/json-record.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";

/** Who a directed message is for: a participant of the team, or of the nested team at the end of `path`. */
export interface Addressee {
  readonly path: readonly string[];
  readonly name: string;
}

/**
 * The participant that `to` names: its name, or the names from the outermost nested team on, joined with slashes. Undefined
 * if there is none. Where a name has a slash itself, the participant that is nearer to the team is meant.
 */
export function findAddressee(state: TeamState, to: string): Addressee | undefined {
  if (state.participants.some(({ name }) => name === to)) return { path: [], name: to };
  for (const [outer, inner] of Object.entries(state.inner ?? {})) {
    const found = to.startsWith(`${outer}/`) ? findAddressee(inner, to.slice(outer.length + 1)) : undefined;
    if (found !== undefined) return { path: [outer, ...found.path], name: found.name };
  }
  return undefined;
}

/** The participant that `to` names. @throws GavelError `UnknownParticipant`, which lists all that can be named. */
export function addresseeOf(state: TeamState, to: string): Addressee {
  const found = findAddressee(state, to);
  if (found === undefined) throw unknownParticipant(to, addressesIn(state));
  return found;
}

/** The member of the team itself that leads to an addressee: the addressee, or the nested team that it is in. */
export const memberFor = ({ path, name }: Addressee): string => path[0] ?? name;

/** The state of the nested team at a path. */
export const stateAt = (state: TeamState, path: readonly string[]): TeamState | undefined =>
  path.reduce<TeamState | undefined>((team, name) => ownValue(team?.inner, name), state);

/** A directed message that was delivered and is not answered, and its place among the events. */
interface Due {
  readonly addressee: Addressee;
  readonly seq: number;
}

/** The addressee of the directed message that a team, or a nested team of it, still has to answer; of several, the last. */
export const dueWithin = (state: TeamState): Addressee | undefined => lastDue(state)?.addressee;

function lastDue(state: TeamState): Due | undefined {
  const { participants, inner = {} } = state;
  let last = lastDueTo(state, ({ to }) => participants.some(({ name }) => name === to));
  for (const [outer, team] of Object.entries(inner)) {
    const found = lastDue(team);
    if (found === undefined || found.seq <= (last?.seq ?? -1)) continue;
    const { path, name } = found.addressee;
    last = { addressee: { path: [outer, ...path], name }, seq: found.seq };
  }
  return last;
}

function lastDueTo({ due = [] }: TeamState, isMeant: (message: { readonly to: string }) => boolean): Due | undefined {
  const own = due.findLast(isMeant);
  return own && { addressee: { path: [], name: own.to }, seq: own.seq ?? 0 };
}

/** True for a turn of the nested team of `name` in which a participant of that team answers a directed message. */
export function isAnswerWithin(state: TeamState, turnId: string, name: string): boolean {
  const team = ownValue(state.inner, name);
  const isDirected = state.openTurns.some(({ id, directed }) => id === turnId && directed !== undefined);
  const within = team && lastDue(team);
  if (!isDirected || within === undefined) return false;
  return within.seq > (lastDueTo(state, ({ to }) => to === name)?.seq ?? -1);
}

function addressesIn({ participants, inner = {} }: TeamState): string[] {
  const within = Object.entries(inner).flatMap(([outer, team]) => addressesIn(team).map((name) => `${outer}/${name}`));
  return [...participants.map(({ name }) => name), ...within];
}
