import type { ComponentChildren } from "preact";
import type { CardDecision } from "../../common/call-card.ts";
import { post } from "../state/editor-bridge.ts";
import { useGuardedClick } from "./settled.ts";

/** What the buttons of a card decide on. */
export interface Decided {
  readonly callRef: string;
  readonly digest: string;
  /** The card can be decided on: it is complete and has been on the screen for a while. */
  readonly settled: boolean;
}

/** Sends the user's decision on exactly what the card shows. */
export function decide({ callRef, digest }: Decided, decision: CardDecision): void {
  post({ type: "decide", ref: callRef, digest, decision });
}

interface Props {
  readonly on: Decided;
  readonly decision: CardDecision;
  readonly class: string;
  readonly children: ComponentChildren;
  /** What it is for someone who does not see the card. */
  readonly label?: string;
  /** Marks the buttons that keys decide with. */
  readonly mark?: "accept" | "reject";
  readonly disabled?: boolean;
}

/** A button that decides on the call of its card. */
export function DecisionButton({ on, decision, class: className, children, label, mark, disabled }: Props) {
  const guarded = useGuardedClick(on.settled, () => decide(on, decision));
  return (
    <button type="button" class={className} aria-label={label} data-decision={mark} disabled={disabled} {...guarded}>
      {children}
    </button>
  );
}
