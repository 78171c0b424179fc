import type { ParticipantInfo } from "../../shared/contract/team.ts";
import { ownValue } from "../../shared/json-record.ts";
import type { TeamState } from "../../shared/state/team-state.ts";

/** A participant that can be sent a message, of the open team or of a nested one. */
export interface Addressee {
  /** Its address in the protocol: its name, after the names that lead to its nested team. */
  readonly to: string;
  /** The participants that lead to its nested team; empty in the open team. */
  readonly path: readonly string[];
  readonly info: ParticipantInfo;
  /** The team that it is in. */
  readonly team: TeamState;
}

export const addressOf = (path: readonly string[], name: string): string => [...path, name].join("/");

/** All that can be sent a message, each nested team before its participants. */
export function addressees(team: TeamState, path: readonly string[] = []): readonly Addressee[] {
  const { participants, inner = {} } = team;
  return participants.flatMap((info) => {
    if (info.kind === "user") return [];
    const nested = ownValue(inner, info.name);
    const within = nested === undefined ? [] : addressees(nested, [...path, info.name]);
    return [{ to: addressOf(path, info.name), path, info, team }, ...within];
  });
}
