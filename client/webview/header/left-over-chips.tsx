import { useLayoutEffect, useState } from "preact/hooks";
import { type Chip, chipsLeftOver } from "./chips-that-fit.ts";

/** In a page this low, the thread needs the place of the second line. */
const low = matchMedia("(max-height: 319px)");
const GAP = 4;
/** The width of a chip that says how many others there are, in pixels. */
const MORE = 44;

/** A chip whose participant waits for the user, or has failed. */
const NEEDS_USER = ".is-approval, .is-question, .is-user, .is-failed, .is-you.is-active";

/**
 * The chips of a list that do not fit into two lines, one in a low page, by their place; measured after each rendering and
 * change of size.
 */
export function useLeftOver(list: { readonly current: HTMLElement | null }): ReadonlySet<number> {
  const [found, setFound] = useState("");
  const measure = (): void => {
    const element = list.current;
    if (element === null) return;
    const chips = [...element.querySelectorAll<HTMLElement>(":scope > li[data-chip]")].map(
      (item): Chip => ({
        width: item.getBoundingClientRect().width,
        rank: item.querySelector(NEEDS_USER) !== null ? 2 : item.querySelector(".is-active") !== null ? 1 : 0,
      }),
    );
    const width = element.getBoundingClientRect().width;
    setFound([...chipsLeftOver(chips, { width, gap: GAP, lines: low.matches ? 1 : 2, more: MORE })].join(" "));
  };
  useLayoutEffect(measure);
  useLayoutEffect(() => {
    if (list.current === null) return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(list.current);
    low.addEventListener("change", measure);
    return () => {
      observer.disconnect();
      low.removeEventListener("change", measure);
    };
  }, []);
  return new Set(found === "" ? [] : found.split(" ").map(Number));
}
