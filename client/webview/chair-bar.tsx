import { computed } from "@preact/signals";
import { draft, mode, submit } from "./composer-state.ts";
import { post } from "./host-bridge.ts";
import { Icon } from "./icon.tsx";
import { team } from "./page-state.ts";
import { listOf } from "./words.ts";

/** What the team is doing, in a line. */
const line = computed(() => {
  const now = team.value;
  if (now === null) return "";
  const at = (activity: string) => now.participants.filter((one) => one.activity === activity).map(({ name }) => name);
  if (now.status === "interrupting") return "Stopping…";
  const [speaking, using, thinking] = [at("speaking"), at("usingTools"), at("thinking")];
  if (speaking.length > 0) return `${listOf(speaking)} ${speaking.length === 1 ? "is" : "are"} speaking`;
  if (using.length > 0) return `${listOf(using)} ${using.length === 1 ? "uses" : "use"} tools`;
  return thinking.length > 0
    ? `${listOf(thinking)} ${thinking.length === 1 ? "is" : "are"} thinking`
    : "The team is at work";
});

const stopping = computed(() => team.value?.status === "interrupting");
const interrupted = computed(() => team.value?.interrupted === true);
const waiting = computed(() => team.value?.pendingTools.map(({ name }) => name).join(", ") ?? "");

/** What the chair can do now beside writing: stop a team at work, set a paused one going, go to what waits for a ruling. */
export function ChairBar() {
  switch (mode.value) {
    case "running":
      return <RunningBar />;
    case "continue":
      return (
        <div class="chair-bar">
          <span class="chair-line">
            <Icon name="debug-pause" /> {interrupted.value ? "Interrupted. Nothing is lost." : "Paused"}
          </span>
          <button type="button" class="button" disabled={draft.value.trim() !== ""} onClick={submit}>
            <Icon name="play" /> Continue
          </button>
        </div>
      );
    case "awaitingTools":
      return (
        <div class="chair-bar is-waiting">
          <span class="chair-line">
            <Icon name="shield" /> {waiting.value} waits for your ruling
          </span>
          <button type="button" class="button is-secondary" onClick={goToPending}>
            Show
          </button>
        </div>
      );
    case "task":
    case "closed":
      return null;
  }
}

function RunningBar() {
  return (
    <div class="chair-bar is-running">
      <span class="chair-line">
        <span class="pulse" aria-hidden="true" /> {line.value}
      </span>
      <button
        type="button"
        class="button interrupt"
        disabled={stopping.value}
        title="Stop the team now. What was said so far is kept."
        onClick={() => post({ type: "interrupt" })}
      >
        <Icon name="debug-stop" /> {stopping.value ? "Stopping…" : "Interrupt"}
      </button>
    </div>
  );
}

function goToPending(): void {
  const card = document.querySelector(".pending");
  card?.scrollIntoView({ block: "center" });
  card?.querySelector<HTMLElement>("button.button, textarea")?.focus();
}
