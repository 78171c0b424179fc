import { computed } from "@preact/signals";
import { useState } from "preact/hooks";
import { listText } from "../../common/list-text.ts";
import { busyParticipants, participantPath } from "../../common/nested-teams.ts";
import { post } from "../state/editor-bridge.ts";
import { team, timeline } from "../state/page-state.ts";
import { stoppingText } from "../text/interrupt-text.ts";
import { Icon } from "../ui/icon.tsx";
import { INTERRUPT_TOOLTIP, InterruptTooltip } from "./interrupt-tooltip.tsx";

/** What the team is doing, as one line. */
const activityText = computed(() => {
  const now = team.value;
  if (now === null) return "";
  const busy = busyParticipants(now);
  const at = (activity: string) =>
    busy.filter((one) => one.activity === activity).map(({ name, path }) => participantPath(path, name));
  const [speaking, using, thinking] = [at("speaking"), at("usingTools"), at("thinking")];
  if (speaking.length > 0) return `${listText(speaking)} ${speaking.length === 1 ? "is" : "are"} speaking`;
  if (using.length > 0) return `${listText(using)} ${using.length === 1 ? "is" : "are"} using tools`;
  return thinking.length > 0
    ? `${listText(thinking)} ${thinking.length === 1 ? "is" : "are"} thinking`
    : "The team is running";
});

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
  return (
    <div class="controls is-running">
      <span class="controls-text">
        <span class="pulse" aria-hidden="true" />
        {waits ? stoppingText(interrupt) : stopping.value ? "Stopping…" : activityText.value}
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
        {!(waits && stopping.value) && <InterruptButton />}
      </span>
    </div>
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
