import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";
import { itemsOf, moveInMenu } from "./menu-keys.ts";

/** How far from the edges of the page a menu stays, in pixels. */
const MARGIN = 6;

interface Props {
  /** What the menu has, for its button and for screen readers. */
  readonly label: string;
  readonly class: string;
  /** What the button shows; a chevron if left out. */
  readonly content?: string;
  /** The items, as elements with the role `menuitem` or `menuitemradio`; `close` closes the menu. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a menu above the page. */
export function MenuButton({ label, class: className, content, children }: Props) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={className}
        title={label}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {content ?? <Icon name="chevron-down" />}
      </button>
      {open && button.current !== null && (
        <Menu label={label} anchor={button.current} close={close} leave={() => setOpen(false)}>
          {children(close)}
        </Menu>
      )}
    </>
  );
}

interface MenuProps {
  readonly label: string;
  readonly anchor: HTMLElement;
  readonly close: () => void;
  readonly leave: () => void;
  readonly children: ComponentChildren;
}

function Menu({ label, anchor, close, leave, children }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return undefined;
    element.showPopover();
    place(element, anchor);
    itemsOf(element)[0]?.focus({ preventScroll: true });
    const away = ({ target }: Event): void => {
      if (target instanceof Node && !element.contains(target) && !anchor.contains(target)) leave();
    };
    // VS Code resizes the page by itself, such as when another view of the side bar appears: the menu stays open.
    const resized = (): void => place(element, anchor);
    addEventListener("pointerdown", away, true);
    addEventListener("resize", resized);
    return () => {
      removeEventListener("pointerdown", away, true);
      removeEventListener("resize", resized);
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (menu.current === null || !moveInMenu(menu.current, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={menu} class="menu" role="menu" aria-label={label} popover="manual" onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}

/** Places it below its button or, where there is more room, above it, within the page. */
function place(menu: HTMLElement, anchor: HTMLElement): void {
  const button = anchor.getBoundingClientRect();
  const below = innerHeight - button.bottom;
  const height = menu.offsetHeight;
  const isBelow = below >= height + MARGIN || below >= button.top;
  const top = isBelow ? button.bottom + 2 : button.top - height - 2;
  const left = button.right - menu.offsetWidth;
  menu.style.top = `${clamp(top, innerHeight - height)}px`;
  menu.style.left = `${clamp(left, innerWidth - menu.offsetWidth)}px`;
}

const clamp = (value: number, most: number): number => Math.max(MARGIN, Math.min(value, most - MARGIN));
