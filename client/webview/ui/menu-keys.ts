/** The items of a menu that can have the focus, in their order. */
export function itemsOf(menu: HTMLElement): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role="menuitem"], [role="menuitemradio"]')];
}

/** Moves the focus as in every menu. @returns whether the key is one of a menu's. */
export function moveInMenu(menu: HTMLElement, key: string): boolean {
  const items = itemsOf(menu);
  const at = items.findIndex((item) => document.activeElement?.isSameNode(item));
  const to = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: at <= 0 ? items.length - 1 : at - 1,
    Home: 0,
    End: items.length - 1,
  }[key];
  if (to === undefined) return false;
  items[to]?.focus();
  return true;
}
