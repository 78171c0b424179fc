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

/** The addressee of the directed message that a team, or a nested team of it, still has to answer. */
export function dueWithin({ due = [], inner = {} }: TeamState): Addressee | undefined {
  const [own] = due;
  if (own !== undefined) return { path: [], name: own.to };
  for (const [outer, team] of Object.entries(inner)) {
    const found = dueWithin(team);
    if (found !== undefined) return { path: [outer, ...found.path], name: found.name };
  }
  return undefined;
}

/** True for a turn of the nested team of `name` in which a participant of that team answers a directed message. */
export function isAnswerWithin({ openTurns, due = [], inner }: TeamState, turnId: string, name: string): boolean {
  const team = ownValue(inner, name);
  const isDirected = openTurns.some(({ id, directed }) => id === turnId && directed !== undefined);
  const isForTeam = due.some(({ to }) => to === name);
  return isDirected && !isForTeam && team !== undefined && dueWithin(team) !== undefined;
}

function addressesIn({ participants, inner = {} }: TeamState): string[] {
  const within = Object.entries(inner).flatMap(([outer, team]) => addressesIn(team).map((name) => `${outer}/${name}`));
  return [...participants.map(({ name }) => name), ...within];
}
