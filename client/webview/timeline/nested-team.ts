import { participantKindText } from "../../common/kind-text.ts";
import { findMember, isOwnSpeaker, type Members } from "../../common/participants/participants.ts";
import type { Roster } from "../../common/participants/team-roster.ts";
import type { MessageItem, TeamItem } from "../../common/timeline/items.ts";

/** The messages that a nested team's participants wrote, without those that it received. */
export function ownMessages(item: TeamItem, inner: Members): readonly MessageItem[] {
  return item.items.filter(
    (one): one is MessageItem => one.kind === "message" && isOwnSpeaker(one.source, inner) && one.text !== "",
  );
}

/** The kind of a nested team with its size: `team of 3`. */
export function nestedTeamText(name: string, outer: Roster): string {
  const size = outer.inner.get(name)?.participants.length ?? 0;
  return participantKindText(findMember(name, outer)?.kind ?? "team", size) || "team";
}
