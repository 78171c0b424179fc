import { computed } from "@preact/signals";
import { listText } from "../../common/list-text.ts";
import { busyOf, wayTo } from "../../common/nested-teams.ts";
import type { Delivery } from "../../common/page-messages.ts";
import { mode } from "../state/composer-mode.ts";
import { team } from "../state/page-state.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { complaint, deliver, delivery, draft, onlyTarget, submit } from "./composer-state.ts";

interface Props {
  /** The participant that what is written is for; null for the team. */
  readonly to: string | null;
}

const ways: readonly Delivery[] = ["now", "steer", "queue"];
const wayNames: Readonly<Record<Delivery, string>> = { now: "Now", steer: "Steer", queue: "Queue" };
const sends: Readonly<Record<Delivery, string>> = { now: "Send now", steer: "Steer", queue: "Queue" };

/** Whom a message that is sent now would interrupt. */
const interrupted = computed(() => {
  const busy = team.value === null ? [] : busyOf(team.value);
  const names = busy.map(({ path, name }) => wayTo(path, name));
  return names.length === 0 ? "" : `; ${listText(names)} ${names.length === 1 ? "is" : "are"} interrupted`;
});

/** Under the box: what sending would do, how it is to be done, and the button that does it. */
export function ComposerFoot({ to }: Props) {
  const wrong = complaint.value;
  const way = to !== null && mode.value === "running" ? delivery.value : null;
  return (
    <div class="composer-foot">
      <span id="composer-hint" class={wrong === "" ? "composer-hint" : "composer-hint is-wrong"} role="status">
        {wrong !== "" && wrong}
        {wrong === "" && to !== null && (
          <>
            <Icon name="arrow-right" /> <Avatar name={to} /> <span>{hint(to, way)}</span>
          </>
        )}
        {wrong === "" && to === null && (
          <span class="hint-keys">@ for one participant · Shift+Enter for a new line</span>
        )}
      </span>
      <span class="send-choices">
        {way !== null && <DeliveryChoice to={to ?? ""} />}
        {to !== null && <OnlyTarget to={to} />}
        <button
          type="button"
          class={way === null ? "send" : "send is-worded"}
          title={to === null ? "Send (Enter)" : `${hint(to, way)} (Enter)`}
          aria-label={way !== null ? `${sends[way]}, to ${to}` : to === null ? "Send" : `Send to ${to}`}
          disabled={draft.value.trim() === ""}
          onClick={submit}
        >
          {way !== null && sends[way]} <Icon name="arrow-up" />
        </button>
      </span>
    </div>
  );
}

function hint(to: string, way: Delivery | null): string {
  switch (way) {
    case null:
      return `only ${to} answers`;
    case "now":
      return `${to} answers now${interrupted.value}`;
    case "steer":
      return `${to} hears it at its next turn; nobody is interrupted`;
    case "queue":
      return `${to} hears it after this run`;
  }
}

/** When the message is given: one of three, as radio buttons, so that the arrows choose. */
function DeliveryChoice({ to }: { readonly to: string }) {
  return (
    <span class="segments" role="radiogroup" aria-label={`When ${to} is given it`}>
      {ways.map((way) => (
        <label key={way} class="segment" title={hint(to, way)}>
          <input type="radio" name="delivery" checked={delivery.value === way} onChange={() => deliver(way)} />
          <span>{wayNames[way]}</span>
        </label>
      ))}
    </span>
  );
}

function OnlyTarget({ to }: { readonly to: string }) {
  return (
    <label
      class="only-target"
      title="No other participant is shown the message; a model that chooses the speakers is. The answer is seen by all."
    >
      <input
        type="checkbox"
        checked={onlyTarget.value}
        onChange={(event) => {
          onlyTarget.value = event.currentTarget.checked;
        }}
      />
      <span>only {to} sees it</span>
    </label>
  );
}
