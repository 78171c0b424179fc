import { computed } from "@preact/signals";
import { listText } from "../../common/list-text.ts";
import { busyParticipants, pathText } from "../../common/nested-teams.ts";
import type { Delivery } from "../../common/page-messages.ts";
import { composerMode } from "../state/composer-mode.ts";
import { team } from "../state/page-state.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { chooseDelivery, delivery, draft, inputError, onlyTarget, submit } from "./composer-state.ts";

interface Props {
  /** The participant that what is written is for; null for the team. */
  readonly to: string | null;
}

const deliveries: readonly Delivery[] = ["now", "steer", "queue"];
const deliveryLabels: Readonly<Record<Delivery, string>> = { now: "Now", steer: "Steer", queue: "Queue" };
const sendLabels: Readonly<Record<Delivery, string>> = { now: "Send now", steer: "Steer", queue: "Queue" };

/** Whom a message that is sent now would interrupt. */
const interrupted = computed(() => {
  const busy = team.value === null ? [] : busyParticipants(team.value);
  const names = busy.map(({ path, name }) => pathText(path, name));
  return names.length === 0 ? "" : `; ${listText(names)} ${names.length === 1 ? "is" : "are"} interrupted`;
});

/** Under the box: what sending would do, how it is to be done, and the button that does it. */
export function ComposerFooter({ to }: Props) {
  const wrong = inputError.value;
  const way = to !== null && composerMode.value === "running" ? delivery.value : null;
  return (
    <div class="composer-footer">
      <span id="composer-hint" class={wrong === "" ? "composer-hint" : "composer-hint is-wrong"} role="status">
        {wrong !== "" && wrong}
        {wrong === "" && to !== null && (
          <>
            <Icon name="arrow-right" /> <Avatar name={to} /> <span>{hintText(to, way)}</span>
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
          class={way === null ? "send" : "send has-label"}
          title={to === null ? "Send (Enter)" : `${hintText(to, way)} (Enter)`}
          aria-label={way !== null ? `${sendLabels[way]}, to ${to}` : to === null ? "Send" : `Send to ${to}`}
          disabled={draft.value.trim() === ""}
          onClick={submit}
        >
          {way !== null && sendLabels[way]} <Icon name="arrow-up" />
        </button>
      </span>
    </div>
  );
}

function hintText(to: string, way: Delivery | null): string {
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
      {deliveries.map((way) => (
        <label key={way} class="segment" title={hintText(to, way)}>
          <input type="radio" name="delivery" checked={delivery.value === way} onChange={() => chooseDelivery(way)} />
          <span>{deliveryLabels[way]}</span>
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
