import type { TeamState } from "../../shared/state/team-state.ts";
import { busyParticipants, participantPath } from "../../shared/text/nested-teams.ts";
import { shownLine } from "../text/shown-text.ts";

const DOING = {
  thinking: "thinks",
  speaking: "writes",
  usingTools: "uses a tool",
  awaitingTools: "waits for you",
} as const;

/** What the team does now, in a line: `author writes, tester uses a tool (runCommand)`. */
export function statusText(state: TeamState): string {
  if (state.status === "interrupting") return "stopping…";
  const busy = busyParticipants(state);
  if (busy.length === 0) return "works…";
  const shown = busy.slice(0, 3).map(({ path, name, activity, summarizing }) => {
    const doing =
      activity === "usingTools" ? toolText(state, name) : summarizing ? "summarizes its context" : DOING[activity];
    return `${shownLine(participantPath(path, name))} ${doing}`;
  });
  const others = busy.length - shown.length;
  return [...shown, ...(others > 0 ? [`${others} more`] : [])].join(", ");
}

function toolText({ calls }: TeamState, participant: string): string {
  const running = calls.filter((call) => call.participant === participant && call.started);
  const [first, ...others] = running;
  if (first === undefined) return DOING.usingTools;
  return `uses ${shownLine(first.name)}${others.length > 0 ? ` and ${others.length} more` : ""}`;
}
