import { computed } from "@preact/signals";
import type { TimelineItem } from "../../common/timeline/items.ts";
import { team } from "../state/page-state.ts";

interface Speakers {
  readonly participants: readonly { readonly name: string; readonly activity: string }[];
  readonly inner?: Readonly<Record<string, Speakers>> | undefined;
}

/** The path, as a text, of a team. */
const pathText = (path: readonly string[]): string => JSON.stringify(path);

/** The teams in which several participants are active, a line each: events that change nothing of it render nothing. */
const parallelPaths = computed(() => (team.value === null ? "" : parallelIn(team.value, []).join("\n")));

function parallelIn({ participants, inner = {} }: Speakers, path: readonly string[]): readonly string[] {
  const active = participants.filter(({ activity }) => activity !== "idle" && activity !== "awaitingTools");
  const within = Object.entries(inner).flatMap(([name, nested]) => parallelIn(nested, [...path, name]));
  return active.length > 1 ? [pathText(path), ...within] : within;
}

/** Whether several participants of the team at a path are active at the same time: each then has a lane. */
export function isParallel(path: readonly string[]): boolean {
  return parallelPaths.value.split("\n").includes(pathText(path));
}

/** Whether its participant is still writing, thinking or running it. */
export function isLive(item: TimelineItem): boolean {
  switch (item.kind) {
    case "message":
      return item.state === "streaming";
    case "thought":
      return item.live === "streaming";
    case "tools":
      return item.calls.some(({ state }) => state === "running");
    default:
      return false;
  }
}

/** The key under which the page remembers that the user expanded a lane. */
export const laneSectionKey = (key: string): string => `${key}-lane`;
