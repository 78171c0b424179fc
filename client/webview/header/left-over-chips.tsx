import { useLayoutEffect, useState } from "preact/hooks";
import { type Chip, chipsLeftOver } from "./chips-that-fit.ts";

const LINES = 2;
const GAP = 4;
/** The width of a chip that says how many others there are, in pixels. */
const MORE = 44;

/** The chips of a list that do not fit into two lines, by their place; measured after each rendering and change of width. */
export function useLeftOver(list: { readonly current: HTMLElement | null }): ReadonlySet<number> {
  const [found, setFound] = useState("");
  const measure = (): void => {
    const element = list.current;
    if (element === null) return;
    const chips = [...element.querySelectorAll<HTMLElement>(":scope > li[data-chip]")].map(
      (item): Chip => ({
        width: item.getBoundingClientRect().width,
        active: item.querySelector(".is-active") !== null,
      }),
    );
    const width = element.getBoundingClientRect().width;
    setFound([...chipsLeftOver(chips, { width, gap: GAP, lines: LINES, more: MORE })].join(" "));
  };
  useLayoutEffect(measure);
  useLayoutEffect(() => {
    if (list.current === null) return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  return new Set(found === "" ? [] : found.split(" ").map(Number));
}
