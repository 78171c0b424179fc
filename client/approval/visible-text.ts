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
const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}| {4,}(?! )|^ +| +$/gu;

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
    return names[found] ?? `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
  return { text: shown, written };
}
