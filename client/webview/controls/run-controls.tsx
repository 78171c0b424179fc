import { computed } from "@preact/signals";
import { useState } from "preact/hooks";
import { listText } from "../../../shared/text/list-text.ts";
import { busyParticipants, participantPath } from "../../../shared/text/nested-teams.ts";
import { activityAt } from "../../common/participants/participant-activity.ts";
import { post } from "../state/editor-bridge.ts";
import { team, timeline } from "../state/page-state.ts";
import { STOPS_AFTER_TURN, stoppingText } from "../text/interrupt-text.ts";
import { managerWork } from "../text/manager-text.ts";
import { Icon } from "../ui/icon.tsx";
import { INTERRUPT_TOOLTIP, InterruptTooltip } from "./interrupt-tooltip.tsx";

/** How many names the bar has; its tooltip has all. */
const NAMES = 2;

/** What the team is doing, in few words, and with the names of all who do it. */
const activity = computed((): { readonly short: string; readonly full: string } => {
  const now = team.value;
  if (now === null) return { short: "", full: "" };
  const busy = busyParticipants(now);
  for (const [kind, doing] of activities) {
    const all = busy.filter((one) => one.activity === kind);
    const byKind = Object.groupBy(all, ({ path, name }) => activityAt(now, path, name)?.kind ?? "thinking");
    const { summarizing = [], limited = [], ...others } = byKind;
    const working = Object.values(others).flat();
    const [active, shown] = [
      [working, doing] as const,
      [summarizing, "summarizing"] as const,
      [limited, "rate limited"] as const,
    ].find(([some]) => some.length > 0) ?? [[], doing];
    const [first, ...more] = active;
    if (first === undefined) continue;
    const names = active.map(({ name, path }) => participantPath(path, name));
    if (more.length === 0) {
      const { text, full } = activityAt(now, first.path, first.name) ?? { text: doing, full: doing };
      return { short: `${names[0]} is ${text}`, full: `${names[0]} is ${full}` };
    }
    const end = `are ${shown}`;
    const left = names.length - NAMES;
    const some = left > 1 ? [...names.slice(0, NAMES), `${left} more`] : names;
    return { short: `${listText(some)} ${end}`, full: `${listText(names)} ${end}` };
  }
  const work = managerWork(now, timeline.value.events);
  const text = work === null ? "The team is running" : [work.name ?? "", work.doing].join(" ").trim();
  return { short: text, full: text };
});

const activities = [
  ["speaking", "writing"],
  ["usingTools", "using tools"],
  ["thinking", "thinking"],
] as const;

const stopping = computed(() => team.value?.status === "interrupting");

/** The interrupt that is under way; the end of the run ends it too. */
const pendingInterrupt = computed(() => {
  const last = timeline.value.items.findLast(
    ({ kind }) => kind === "interrupt" || kind === "runEnd" || kind === "error",
  );
  return last?.kind === "interrupt" && last.state !== "completed" ? last : null;
});

/** The controls of a running team: what it is doing, and the buttons to stop it, or to stop it sooner. */
export function RunControls() {
  const interrupt = pendingInterrupt.value;
  const waits = interrupt !== null && interrupt.grace !== "now";
  const requested = stopsAfterTurn.value ? STOPS_AFTER_TURN : null;
  const stop = waits ? stoppingText(interrupt) : stopping.value ? "Stopping…" : requested;
  return (
    <div class="controls above-composer is-running">
      <span class="controls-text">
        <span class="pulse" aria-hidden="true" />
        <span class="activity-text" title={stop ?? activity.value.full}>
          {stop ?? activity.value.short}
        </span>
      </span>
      <span class="interrupt-buttons">
        {waits && (
          <button
            type="button"
            class={stopping.value ? "button interrupt" : "button is-secondary"}
            title="Stop immediately. Partial messages are kept."
            onClick={() =>
              post({
                type: "interrupt",
                grace: "now",
                ...(interrupt.scope === undefined ? {} : { scope: interrupt.scope }),
              })
            }
          >
            Stop Now
          </button>
        )}
        {!waits && !stopping.value && <KeepRunning />}
        {!(waits && stopping.value) && <InterruptButton />}
      </span>
    </div>
  );
}

const stopsAfterTurn = computed(() => team.value?.stopRequested === true);

/** Takes back that the run ends with the current turn. */
export function KeepRunning() {
  if (!stopsAfterTurn.value) return null;
  return (
    <button
      type="button"
      class="button is-secondary"
      title="The run goes on after this turn"
      onClick={() => post({ type: "keepRunning" })}
    >
      Keep Running
    </button>
  );
}

/** A button that stops the team immediately, and one to choose what to stop, and when. Both show a preview. */
export function InterruptButton() {
  const [shown, show] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only tracks the pointer and the focus of its buttons
    <span
      class="interrupt-group"
      onPointerEnter={() => show(true)}
      onPointerLeave={() => show(false)}
      onFocusIn={() => show(true)}
      onFocusOut={() => show(false)}
      onKeyDown={(event) => event.key === "Escape" && show(false)}
    >
      <button
        type="button"
        class="button interrupt"
        disabled={stopping.value}
        aria-describedby={INTERRUPT_TOOLTIP}
        onClick={() => post({ type: "interrupt" })}
      >
        <Icon name="debug-stop" /> {stopping.value ? "Stopping…" : "Interrupt"}
      </button>
      <button
        type="button"
        class="button interrupt"
        disabled={stopping.value}
        title="Choose what to stop, and when"
        aria-label="Choose what to stop…"
        aria-describedby={INTERRUPT_TOOLTIP}
        onClick={() => post({ type: "interruptWith" })}
      >
        <Icon name="chevron-down" />
      </button>
      {shown && !stopping.value && <InterruptTooltip />}
    </span>
  );
}
