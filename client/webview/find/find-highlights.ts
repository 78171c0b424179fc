import { folded, placesOf } from "./find-matches.ts";

const ALL = "gavel-find";
const CURRENT = "gavel-find-current";

/** What a row shows besides its text: who speaks, when, and buttons. */
const NO_TEXT =
  ".speaker-line, .user-line, .code-head, .partial-mark, .message-usage, .sr-only, time, button:not(.collapsible-header)";

/** The places of a text in a row, as it is rendered now. It may run over several elements. */
export function rangesIn(row: Element, query: string, matchesCase: boolean): Range[] {
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && node.matches(NO_TEXT) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node instanceof Text) nodes.push(node);
  const text = nodes.map(({ data }) => data).join("");
  const wanted = folded(query, matchesCase);
  return placesOf(folded(text, matchesCase), wanted).map((at) => rangeAt(nodes, at, at + wanted.length));
}

function rangeAt(nodes: readonly Text[], start: number, end: number): Range {
  const range = document.createRange();
  let before = 0;
  for (const node of nodes) {
    const after = before + node.length;
    if (start >= before && start < after) range.setStart(node, start - before);
    if (end > before && end <= after) {
      range.setEnd(node, end - before);
      break;
    }
    before = after;
  }
  return range;
}

/** Highlights the matches that are rendered; the current one stands out. */
export function highlight(ranges: readonly Range[], current: Range | undefined): void {
  const all = new Highlight();
  // One by one: there can be more than a function may have arguments.
  for (const range of ranges) all.add(range);
  CSS.highlights.set(ALL, all);
  const own = new Highlight(...(current === undefined ? [] : [current]));
  own.priority = 1;
  CSS.highlights.set(CURRENT, own);
}

export function clearHighlights(): void {
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
}
