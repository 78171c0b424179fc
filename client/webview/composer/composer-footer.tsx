import { countText } from "../../../shared/text/count-text.ts";
import { post } from "../state/editor-bridge.ts";
import { whileRunning } from "../state/page-state.ts";
import { Icon } from "../ui/icon.tsx";
import { AddresseeAvatar } from "./addressee-avatar.tsx";
import { tokensText, totalTokens } from "./attachments/attachment-list.tsx";
import { waiting } from "./attachments/pending.ts";
import { hasDelivery, onlyTarget } from "./composer-state.ts";
import { attachments, draft, focusRequests, held, releaseHeld } from "./draft.ts";
import { ModelButton } from "./model-button.tsx";
import { deliveryText } from "./send/delivery-text.ts";
import { SendButton } from "./send/send-button.tsx";

interface Props {
  /** The participant that the message is addressed to; null for the team. */
  readonly to: string | null;
}

/** Below the text box: what can be attached, what sending will do, and the send button. */
export function ComposerFooter({ to }: Props) {
  const delivery = hasDelivery(to) ? whileRunning.value : null;
  const says = to !== null || (delivery !== null && draft.value.trim() !== "");
  return (
    <div class="composer-footer">
      <button
        type="button"
        class="icon-button add-context"
        title="Add Context…"
        aria-label="Add context"
        onClick={() => post({ type: "pickContext" })}
      >
        <Icon name="add" />
      </button>
      <ModelButton />
      {attachments.value.length > 1 && <span class="attachments-total">{tokensText(totalTokens.value)} tokens</span>}
      <span id="composer-hint" class="composer-hint" role="status">
        {held.value !== null ? (
          <Held />
        ) : says ? (
          <>
            <Icon name="arrow-right" /> {to !== null && <AddresseeAvatar to={to} />}{" "}
            <span title={deliveryText(to, delivery)}>{deliveryText(to, delivery)}</span>
          </>
        ) : (
          <span class="hint-keys">@ participant · # context · / command</span>
        )}
      </span>
      <span class="send-choices">
        {to !== null && <OnlyTarget to={to} />}
        <SendButton to={to} />
      </span>
    </div>
  );
}

/** Of a message that is sent by itself: when. */
function Held() {
  const { count, name } = waiting.value;
  return (
    <>
      <Icon name="loading" spin />
      <span>
        Sends once {count === 1 ? name : countText(count, "file")} {count === 1 ? "is" : "are"} attached
      </span>
      <button
        type="button"
        class="link-button"
        onClick={() => {
          releaseHeld();
          focusRequests.value++;
        }}
      >
        Don't Send
      </button>
    </>
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
