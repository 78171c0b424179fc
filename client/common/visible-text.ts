/** Text in which every character can be seen, and whether any had to be written out. */
export interface VisibleText {
  readonly text: string;
  /** True when a character was written out, so that the text is to be read with the legend. */
  readonly written: boolean;
}

/** What the written-out forms mean, for the user. */
export const LEGEND = "Characters that would not show are written in ⟨ ⟩; nothing is left out.";

/**
 * Characters that show as nothing, as something else, or that turn the order of others: controls, format characters (bidi
 * marks, overrides and isolates, zero-width ones, soft hyphens, tags), separators, spaces other than the plain one, lone
 * surrogates, private and unassigned ones, fillers of Hangul and Braille, variation selectors and other ignorables.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;
const HIDDEN = new RegExp(`${INVISIBLE.source}| {4,}(?! )|^ +| +$`, "gu");
const HIDDEN_IN_LINES = new RegExp(INVISIBLE.source, "gu");

const names: Readonly<Record<string, string>> = { "\t": "⟨tab⟩", "\r": "⟨return⟩" };

/**
 * The text with nothing hidden: what is shown is what is there. A newline is written out and then breaks the line; a run of
 * spaces, with which the end of a command could be pushed out of sight, is counted.
 */
export function visibleText(text: string): VisibleText {
  let written = false;
  const shown = text.replace(HIDDEN, (found) => {
    written = true;
    if (found === "\n") return "⟨newline⟩\n";
    if (found.startsWith(" ")) return `⟨${found.length} ${found.length === 1 ? "space" : "spaces"}⟩`;
    return writtenOut(found);
  });
  return { text: shown, written };
}

/** What stays in text that is shown as it is laid out; U+FE0F only asks for an emoji's colours. */
const LAYOUT = new Set(["\n", "\t", "\ufe0f"]);

/** The same for text that is shown as it is laid out, such as indented JSON: its lines, spaces and tabs stay. */
export function visibleLines(text: string): string {
  return text.replace(HIDDEN_IN_LINES, (found) => (LAYOUT.has(found) ? found : writtenOut(found)));
}

function writtenOut(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return names[character] ?? `⟨U+${code}⟩`;
}
