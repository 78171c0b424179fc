import { participantKindText } from "../../common/kind-text.ts";
import type { MessageItem, TeamItem } from "../../common/timeline/items.ts";
import type { Roster } from "../state/roster.ts";
import { findMember, isOwnSpeaker, type Members } from "../text/participants.ts";

/** The messages of a nested team's own: what it was given, and what it did beside speaking, is not counted. */
export function ownMessages(item: TeamItem, inner: Members): readonly MessageItem[] {
  return item.items.filter(
    (one): one is MessageItem => one.kind === "message" && isOwnSpeaker(one.source, inner) && one.text !== "",
  );
}

/** `a team of 3`; the row's own name stands above or before it. */
export function nestedTeamText(name: string, around: Roster): string {
  const size = around.inner.get(name)?.participants.length ?? 0;
  return participantKindText(findMember(name, around)?.kind ?? "team", size) || "a team";
}
