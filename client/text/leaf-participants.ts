import type { PlacedParticipant } from "../../shared/contract/stopped.ts";
import { participantPath } from "../../shared/text/nested-teams.ts";

/** Leaves out each nested team of which a member is listed too. */
export function leafParticipants<T extends PlacedParticipant>(placed: readonly T[]): readonly T[] {
  const nameOf = ({ participant, path }: T): string => participantPath(path, participant);
  const teams = new Set(
    placed.flatMap(({ path = [] }) => path.map((name, at) => participantPath(path.slice(0, at), name))),
  );
  return placed.filter((one) => !teams.has(nameOf(one)));
}
