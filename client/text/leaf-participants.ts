import type { PlacedParticipant } from "../../shared/contract/stopped.ts";
import { pathText } from "../common/nested-teams.ts";

/** Without the teams among them that have somebody listed within: who is at work in a nested team stands for the team. */
export function leafParticipants<T extends PlacedParticipant>(placed: readonly T[]): readonly T[] {
  const wayOf = ({ participant, path }: T): string => pathText(path, participant);
  const around = new Set(placed.flatMap(({ path = [] }) => path.map((name, at) => pathText(path.slice(0, at), name))));
  return placed.filter((one) => !around.has(wayOf(one)));
}
