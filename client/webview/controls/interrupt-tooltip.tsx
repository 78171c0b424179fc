import { computed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { countWords } from "../../../shared/contract/message-text.ts";
import { ownValue } from "../../../shared/json-record.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { countText } from "../../../shared/text/count-text.ts";
import { type BusyParticipant, busyParticipants, participantPath } from "../../../shared/text/nested-teams.ts";
import type { CallView, TimelineItem } from "../../common/timeline/items.ts";
import { post } from "../state/editor-bridge.ts";
import { callOutcomes, team, timeline } from "../state/page-state.ts";
import { rosterAt } from "../state/roster.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";

export const INTERRUPT_TOOLTIP = "interrupt-tooltip";

interface InFlight {
  readonly call: CallView;
  readonly source: string;
  readonly path: readonly string[];
}

const busy = computed(() =>
  team.value === null ? [] : busyParticipants(team.value).filter(({ activity }) => activity !== "awaitingTools"),
);
const inFlight = computed(() => callsIn(timeline.value.items, []));
const waiting = computed(() => team.value?.pendingTools ?? []);
const refs = computed(() => inFlight.value.map(({ call }) => call.ref).join(" "));

/** What an interrupt would stop now: participants with their words so far, and running tools. It stays up to date. */
export function InterruptTooltip() {
  // The effect on a tool depends on its declaration, which the page does not have.
  useEffect(() => post({ type: "previewInterrupt" }), [refs.value]);
  const calls = inFlight.value;
  const callers = new Set(calls.map(({ path, source }) => participantPath(path, source)));
  const others = busy.value.filter(({ path, name }) => !callers.has(participantPath(path, name)));
  return (
    <div id={INTERRUPT_TOOLTIP} class="interrupt-tooltip" role="tooltip">
      <p>
        {calls.length + others.length > 0
          ? "An interrupt now would stop:"
          : waiting.value.length > 0
            ? "An interrupt now would cancel:"
            : "Nothing is running."}
      </p>
      <ul>
        {others.map((one) => (
          <li key={participantPath(one.path, one.name)}>
            <Avatar name={one.name} members={rosterAt(one.path)} />
            <span>
              <strong>{participantPath(one.path, one.name)}</strong> {activityOf(one)}
            </span>
          </li>
        ))}
        {calls.map(({ call, source, path }) => (
          <li key={call.ref}>
            <Icon name="tools" />
            <span>
              <code>{call.name}</code> called by {participantPath(path, source)}{" "}
              {ownValue(callOutcomes.value, call.ref) ?? "is running"}
            </span>
          </li>
        ))}
        {waiting.value.map(({ ref, name, participant, path }) => (
          <li key={ref}>
            <Icon name="shield" />
            <span>
              <code>{name}</code> called by {participantPath(path, participant)} waits for you and is cancelled
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function activityOf({ name, path, activity }: BusyParticipant): string {
  const message = teamAt(path)?.streaming.find(({ source }) => source === name);
  if (message !== undefined) return `(${countText(countWords(message.text), "word")} so far, kept)`;
  return activity === "thinking" ? "is thinking" : "is running";
}

function teamAt(path: readonly string[]): TeamState | null {
  return path.reduce<TeamState | null>((within, name) => ownValue(within?.inner, name) ?? null, team.value);
}

/** The running calls, here and in nested teams. */
function callsIn(items: readonly TimelineItem[], path: readonly string[]): readonly InFlight[] {
  return items.flatMap((item): readonly InFlight[] => {
    if (item.kind === "team") return item.state === "working" ? callsIn(item.items, [...path, item.source]) : [];
    if (item.kind !== "tools") return [];
    return item.calls.flatMap((call) => (call.state === "running" ? [{ call, source: item.source, path }] : []));
  });
}
