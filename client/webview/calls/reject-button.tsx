import type { CallCard, CardDecision } from "../../common/call-card.ts";
import { MenuButton } from "../ui/menu.tsx";
import { type Decided, DecisionButton } from "./decision-button.tsx";

interface Props {
  readonly on: Decided;
  readonly card: CallCard;
  readonly name: string;
  readonly open: (form: "reason" | "answer") => void;
  readonly canAnswer: boolean;
  readonly word?: "Reject" | "Withhold";
}

/** One click, and a menu with what takes words. What would fail is rejected with the reason why. */
export function RejectButton({ on, card: { problem }, name, open, canAnswer, word = "Reject" }: Props) {
  const decision: CardDecision = { how: "reject", ...(problem === undefined ? {} : { reason: problem }) };
  const choose = (form: "reason" | "answer", close: () => void) => () => {
    close();
    open(form);
  };
  return (
    <span class="split">
      <DecisionButton on={on} decision={decision} class="button is-secondary" label={`${word}: ${name}`} mark="reject">
        {word}
      </DecisionButton>
      <MenuButton label="More Answers…" class="button is-secondary is-chevron">
        {(close) => (
          <>
            <button type="button" class="menu-item" role="menuitem" tabIndex={-1} onClick={choose("reason", close)}>
              {`${word} with Reason…`}
            </button>
            {canAnswer && (
              <button type="button" class="menu-item" role="menuitem" tabIndex={-1} onClick={choose("answer", close)}>
                Answer Instead…
              </button>
            )}
          </>
        )}
      </MenuButton>
    </span>
  );
}
