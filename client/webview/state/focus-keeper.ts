/**
 * Moves the focus on when the element that has it is removed or disabled, so that the keyboard is never left with nothing.
 * Without the focus of the window, or after a click beside everything, there is nothing to keep.
 * @param next focuses what the user needs next, given the lost element and its former ancestors, the nearest first; false to
 * be asked again after the next change.
 */
export function keepFocus(root: HTMLElement, next: (lost: readonly Element[]) => boolean): void {
  let path: readonly Element[] = [];
  root.addEventListener("focusin", ({ target }) => {
    path = target instanceof Element ? withAncestors(target) : [];
  });
  root.addEventListener("pointerdown", () => {
    path = [];
  });
  new MutationObserver(() => {
    const [last] = path;
    if (last === undefined || !isLost(last) || !document.hasFocus()) return;
    const lost = path;
    path = [];
    if (!next(lost)) path = lost;
  }).observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] });
}

/** Whether it had the focus, and nothing has it now. */
function isLost(element: Element): boolean {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body && activeElement !== element) return false;
  return !element.isConnected || element.matches(":disabled");
}

function withAncestors(element: Element): readonly Element[] {
  return element.parentElement === null ? [element] : [element, ...withAncestors(element.parentElement)];
}
