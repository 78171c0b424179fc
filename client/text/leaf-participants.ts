import type { PlacedParticipant } from "../../shared/contract/stopped.ts";
import { wayTo } from "../common/nested-teams.ts";

/** Without the teams among them that have somebody listed within: who is at work in a nested team stands for the team. */
export function leafParticipants<T extends PlacedParticipant>(placed: readonly T[]): readonly T[] {
  const wayOf = ({ participant, path }: T): string => wayTo(path, participant);
  const around = new Set(placed.flatMap(({ path = [] }) => path.map((name, at) => wayTo(path.slice(0, at), name))));
  return placed.filter((one) => !around.has(wayOf(one)));
}
