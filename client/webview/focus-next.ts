/**
 * After a decision the next card that waits has the focus, after anything else the text box or, without one, a row. It is
 * the card and not its button: a key that is held, or pressed twice, must not decide on what the user has not read.
 * @returns false while the card of the decision is there: then its call has not been resolved.
 */
export function focusNext(lost: readonly Element[]): boolean {
  const decided = lost.some((element) => element.matches(".pending"));
  if (decided && lost[0]?.isConnected === true) return false;
  const next =
    (decided ? find(".pending") : null) ??
    find(".composer-text") ??
    find(".row[tabindex='0']") ??
    find("main button, main [tabindex]");
  next?.focus();
  return true;
}

const find = (selector: string): HTMLElement | null => document.querySelector<HTMLElement>(selector);
