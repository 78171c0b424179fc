import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Delivery } from "../../../common/page-messages.ts";
import { whileRunning } from "../../state/page-state.ts";
import { Icon } from "../../ui/icon.tsx";
import { itemsOf, moveInMenu } from "../../ui/menu-keys.ts";
import { hasDelivery, submit } from "../composer-state.ts";
import { draft, focusRequests } from "../draft.ts";
import { deliveryLabels, deliveryText } from "./delivery-text.ts";

const isMac = /Mac/.test(navigator.platform);

const deliveries: readonly Delivery[] = ["steer", "queue", "now"];

/**
 * The delivery that a key asks for: Enter the default; Ctrl+Enter, on macOS Cmd+Enter, stops and sends; Alt+Enter queues, or
 * steers where queueing is the default. Undefined for another key.
 */
export function deliveryFor({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): Delivery | undefined {
  if (key !== "Enter" || shiftKey) return undefined;
  if (isMac ? metaKey : ctrlKey) return "now";
  return altKey ? alternative() : whileRunning.value;
}

const alternative = (): Delivery => (whileRunning.value === "queue" ? "steer" : "queue");

function keyOf(delivery: Delivery): string | undefined {
  if (delivery === whileRunning.value) return "Enter";
  if (delivery === "now") return isMac ? "⌘Enter" : "Ctrl+Enter";
  return delivery === alternative() ? (isMac ? "⌥Enter" : "Alt+Enter") : undefined;
}

/** Sends the draft. While the team runs, it says how, and has a menu of the other ways. */
export function SendButton({ to }: { readonly to: string | null }) {
  const isSplit = hasDelivery(to);
  const delivery = isSplit ? whileRunning.value : null;
  const disabled = draft.value.trim() === "";
  const [open, setOpen] = useState(false);
  const group = useRef<HTMLSpanElement>(null);
  const effect = deliveryText(to, delivery);
  // Before the next key comes.
  useLayoutEffect(() => {
    if (!open) return;
    if (group.current !== null) itemsOf(group.current)[0]?.focus();
  }, [open]);
  /** After Escape and Tab its button has the focus again, after a choice the text box. */
  const close = (chosen: boolean): void => {
    setOpen(false);
    if (chosen) focusRequests.value++;
    else group.current?.querySelector<HTMLElement>(".send-more")?.focus();
  };
  return (
    <span
      ref={group}
      class={isSplit ? "send-group is-split" : "send-group"}
      onFocusOut={(event) => {
        if (!(event.relatedTarget instanceof Node && group.current?.contains(event.relatedTarget))) setOpen(false);
      }}
    >
      <button
        type="button"
        class={delivery === null ? "send" : "send has-label"}
        title={to === null && delivery === null ? "Send (Enter)" : `${effect} (Enter)`}
        aria-label={spokenLabel(to, delivery)}
        disabled={disabled}
        onClick={() => submit()}
      >
        {delivery !== null && <span class="send-label">{deliveryLabels[delivery]}</span>} <Icon name="arrow-up" />
      </button>
      {isSplit && (
        <button
          type="button"
          class="send send-more"
          title="More Ways to Send…"
          aria-label="More ways to send"
          aria-haspopup="menu"
          aria-expanded={open}
          disabled={disabled}
          onClick={() => setOpen(!open)}
        >
          <Icon name="chevron-down" />
        </button>
      )}
      {open && isSplit && <DeliveryMenu to={to} close={close} />}
    </span>
  );
}

function spokenLabel(to: string | null, delivery: Delivery | null): string {
  const label = delivery === null ? "Send" : deliveryLabels[delivery];
  return to === null ? label : `${label}${delivery === null ? "" : ","} to ${to}`;
}

/** The ways to send while the team runs; one that is chosen sends at once. */
function DeliveryMenu({ to, close }: { readonly to: string | null; readonly close: (chosen: boolean) => void }) {
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    if ((event.key === "Escape" && !event.shiftKey) || event.key === "Tab") close(false);
    else if (!moveInMenu(event.currentTarget, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="deliveries" role="menu" aria-label="Ways to send" onKeyDown={onKeyDown}>
      {deliveries.map((delivery) => (
        <button
          key={delivery}
          type="button"
          class="menu-item delivery"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            close(true);
            submit(delivery);
          }}
        >
          <span class="delivery-name">{deliveryLabels[delivery]}</span>
          <span class="delivery-key">{keyOf(delivery)}</span>
          <span class="delivery-effect">{deliveryText(to, delivery)}</span>
        </button>
      ))}
    </div>
  );
}
