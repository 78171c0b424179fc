import { useState } from "preact/hooks";
import { visibleLines } from "../../../shared/text/visible-text.ts";
import type { CallCard, CardBody } from "../../common/call-card.ts";
import type { CallView } from "../../common/timeline/items.ts";
import { post } from "../state/editor-bridge.ts";
import { type Decided, DecisionButton, decide } from "./decision-button.tsx";
import { InlineForm } from "./inline-form.tsx";
import { RejectButton } from "./reject-button.tsx";

interface Props {
  readonly call: CallView;
  readonly card: CallCard;
  readonly body: Extract<CardBody, { readonly kind: "result" }>;
  readonly on: Decided;
}

/** What the user can do with a result that waits for review. One that is too long for the card is edited in an editor. */
export function ResultDecision({ call, card, body: { text, characters }, on }: Props) {
  const [form, setForm] = useState<"reason" | "answer" | "result">();
  const name = visibleLines(call.name);
  const callers = visibleLines(card.callers);
  const close = (): void => setForm(undefined);
  switch (form) {
    case "reason":
    case "answer":
      return (
        <InlineForm
          on={{ callRef: on.callRef, use: "reason" }}
          label={`Reason, shown to ${callers}`}
          placeholder={`Reason, shown to ${callers} (optional)`}
          submitLabel="Withhold"
          optional
          onSubmit={(reason) => {
            close();
            decide(on, { how: "reject", reason });
          }}
          onCancel={close}
        />
      );
    case "result":
      return (
        <InlineForm
          on={{ callRef: on.callRef, use: "result" }}
          label={`Result of ${name} for ${callers}`}
          submitLabel="Send Edited Result"
          initial={text}
          code
          optional
          onSubmit={(edited) => {
            close();
            decide(on, { how: "sendEdited", text: edited });
          }}
          onCancel={close}
        />
      );
    case undefined:
      return (
        <div class="button-row">
          <DecisionButton
            on={on}
            decision={{ how: "accept" }}
            class="button"
            label={`Send Result: ${name}`}
            mark="accept"
          >
            Send Result
          </DecisionButton>
          <RejectButton on={on} card={card} name={name} open={setForm} word="Withhold" canAnswer={false} />
          {text.length === characters && (
            <button type="button" class="button is-secondary" onClick={() => setForm("result")}>
              Edit…
            </button>
          )}
          <button type="button" class="button is-secondary" onClick={() => post({ type: "openResult", ref: card.ref })}>
            Edit in Editor
          </button>
        </div>
      );
  }
}
