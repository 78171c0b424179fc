import { computed } from "@preact/signals";
import { listText } from "../../common/list-text.ts";
import { busyParticipants, participantPath } from "../../common/nested-teams.ts";
import type { Delivery } from "../../common/page-messages.ts";
import { composerMode } from "../state/composer-mode.ts";
import { team } from "../state/page-state.ts";
import { Icon } from "../ui/icon.tsx";
import { AddresseeAvatar } from "./addressee-avatar.tsx";
import { chooseDelivery, delivery, draft, inputError, onlyTarget, submit } from "./composer-state.ts";

interface Props {
  /** The participant that the message is addressed to; null for the team. */
  readonly to: string | null;
}

const deliveries: readonly Delivery[] = ["now", "steer", "queue"];
const deliveryLabels: Readonly<Record<Delivery, string>> = { now: "Now", steer: "Steer", queue: "Queue" };
const sendLabels: Readonly<Record<Delivery, string>> = { now: "Send now", steer: "Steer", queue: "Queue" };

/** The participants that a message sent now would interrupt, to be used within a sentence. */
const interrupted = computed(() => {
  const busy = team.value === null ? [] : busyParticipants(team.value);
  const names = busy.map(({ path, name }) => participantPath(path, name));
  return names.length === 0 ? "" : `, interrupting ${listText(names)}`;
});

/** Below the text box: what sending will do, the delivery options, and the send button. */
export function ComposerFooter({ to }: Props) {
  const problem = inputError.value;
  const selected = to !== null && composerMode.value === "running" ? delivery.value : null;
  return (
    <div class="composer-footer">
      <span id="composer-hint" class={problem === "" ? "composer-hint" : "composer-hint is-error"} role="status">
        {problem !== "" && problem}
        {problem === "" && to !== null && (
          <>
            <Icon name="arrow-right" /> <AddresseeAvatar to={to} /> <span>{hintText(to, selected)}</span>
          </>
        )}
        {problem === "" && to === null && (
          <span class="hint-keys">@ to message one participant · Shift+Enter for a new line</span>
        )}
      </span>
      <span class="send-choices">
        {selected !== null && <DeliveryChoice to={to ?? ""} />}
        {to !== null && <OnlyTarget to={to} />}
        <button
          type="button"
          class={selected === null ? "send" : "send has-label"}
          title={to === null ? "Send (Enter)" : `${hintText(to, selected)} (Enter)`}
          aria-label={selected !== null ? `${sendLabels[selected]}, to ${to}` : to === null ? "Send" : `Send to ${to}`}
          disabled={draft.value.trim() === ""}
          onClick={submit}
        >
          {selected !== null && sendLabels[selected]} <Icon name="arrow-up" />
        </button>
      </span>
    </div>
  );
}

function hintText(to: string, delivery: Delivery | null): string {
  switch (delivery) {
    case null:
      return `Only ${to} answers`;
    case "now":
      return `${to} answers now${interrupted.value}`;
    case "steer":
      return `${to} sees it at its next turn; no one is interrupted`;
    case "queue":
      return `${to} sees it after this run`;
  }
}

/** When the message is delivered: radio buttons, so that arrow keys select. */
function DeliveryChoice({ to }: { readonly to: string }) {
  return (
    <span class="segments" role="radiogroup" aria-label={`When to deliver the message to ${to}`}>
      {deliveries.map((option) => (
        <label key={option} class="segment" title={hintText(to, option)}>
          <input
            type="radio"
            name="delivery"
            checked={delivery.value === option}
            onChange={() => chooseDelivery(option)}
          />
          <span>{deliveryLabels[option]}</span>
        </label>
      ))}
    </span>
  );
}

function OnlyTarget({ to }: { readonly to: string }) {
  return (
    <label
      class="only-target"
      title="Hides the message, but not the answer, from other participants. A model that selects the speakers still sees it."
    >
      <input
        type="checkbox"
        checked={onlyTarget.value}
        onChange={(event) => {
          onlyTarget.value = event.currentTarget.checked;
        }}
      />
      <span>Visible only to {to}</span>
    </label>
  );
}
