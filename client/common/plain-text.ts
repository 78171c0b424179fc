import { visibleOrder } from "../../shared/text/visible-text.ts";

/**
 * Where VS Code finds a link, `[text](command:…)`, a reference or an image of Markdown, `![a][b]` and `[b]: …`, or an icon,
 * `$(name)`. It has no escape that works in all of these places.
 */
const MARKUP = /\](?=[([:])|\$(?=\()/g;

/** WORD JOINER: has no width, breaks no line, and ends what VS Code would parse. */
const JOINER = "\u2060";

/**
 * Text for the places where VS Code makes links and icons of what it shows: notifications, prompts of input boxes, rows of
 * quick picks and their hovers, the status bar. It is shown there as it is.
 */
export function plainText(text: string): string {
  return visibleOrder(text).replace(MARKUP, `$&${JOINER}`);
}
