import { signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** The call whose card should get the focus, on its button for this decision; a new object for each request. */
const wanted = signal<{ readonly ref: string; readonly decision: "accept" | "reject" } | null>(null);

/** Focuses the button of a call's card for a decision, once the card has it. */
export function focusDecision(ref: string | undefined, decision: "accept" | "reject"): void {
  wanted.value = ref === undefined ? null : { ref, decision };
}

/** Takes the focus for a card when it is wanted. @param isComplete whether the card has its buttons. */
export function useFocusedDecision(card: RefObject<HTMLElement | null>, ref: string, isComplete: boolean): void {
  const here = wanted.value?.ref === ref ? wanted.value.decision : undefined;
  useLayoutEffect(() => {
    if (here === undefined || !isComplete) return;
    wanted.value = null;
    const find = (selector: string) => card.current?.querySelector<HTMLElement>(selector);
    // A question is accepted by answering it, with its first choice if it has some; a call that would fail cannot be
    // accepted.
    const answer = here === "accept" ? (find(".choice input, button.choice") ?? find(".answer-form textarea")) : null;
    const button = answer ?? find(`[data-decision="${here}"]`) ?? find(".button-row button");
    button?.focus({ preventScroll: true });
  }, [here, isComplete]);
}
