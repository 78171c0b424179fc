/** Text in which every character can be seen, and whether any had to be written out. */
export interface VisibleText {
  readonly text: string;
  /** True when a character was written out: show the text with {@link LEGEND}. */
  readonly written: boolean;
}

/** Explains the written-out forms to the user. */
export const LEGEND = "Invisible characters are written as ⟨ ⟩. Nothing is left out.";

/**
 * Characters that are invisible, look like another, or change the order of others: controls, format characters (bidi
 * marks, overrides and isolates, zero-width ones, soft hyphens, tags), separators, spaces other than the plain one, lone
 * surrogates, private and unassigned ones, fillers of Hangul and Braille, variation selectors and other ignorables.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u;

/**
 * Emoji that zero-width joiners make one, such as a family: what joins them can be seen. Each may have a skin tone or a
 * variation selector. A code point that is only reserved for an emoji is none.
 */
const EMOJI = "(?!\\p{Cn})\\p{Extended_Pictographic}(?:\ufe0f|\\p{Emoji_Modifier})?";
const JOINED = `${EMOJI}(?:\u200d${EMOJI})+`;

const HIDDEN = new RegExp(`(?<joined>${JOINED})|${INVISIBLE.source}| {4,}(?! )|^ +| +$`, "gu");
const HIDDEN_IN_LINES = new RegExp(`(?<joined>${JOINED})|${INVISIBLE.source}`, "gu");

const names: Readonly<Record<string, string>> = { "\t": "⟨tab⟩", "\r": "⟨return⟩" };

/**
 * The text with every invisible character written out. A newline is written out and then breaks the line. Runs of spaces are
 * counted, because they could push the end of a command out of view.
 */
export function visibleText(text: string): VisibleText {
  let written = false;
  const shown = text.replace(HIDDEN, (found, joined?: string) => {
    if (joined !== undefined) return joined;
    written = true;
    if (found === "\n") return "⟨newline⟩\n";
    if (found.startsWith(" ")) return `⟨${found.length} ${found.length === 1 ? "space" : "spaces"}⟩`;
    return writtenOut(found);
  });
  return { text: shown, written };
}

/** Characters that stay in text with its own layout; U+FE0F only selects the coloured form of an emoji. */
const LAYOUT = new Set(["\n", "\t", "\ufe0f"]);

/** As {@link visibleText} for text with its own layout, such as indented JSON: newlines, spaces and tabs stay. */
export function visibleLines(text: string): string {
  return text.replace(HIDDEN_IN_LINES, (found, joined?: string) =>
    LAYOUT.has(found) ? found : (joined ?? writtenOut(found)),
  );
}

/** What changes the order of characters or the lines: bidi marks, overrides and isolates, controls, separators. */
const REORDERING = /[\p{Bidi_Control}\p{Cc}\p{Zl}\p{Zp}]/gu;

/** As {@link visibleLines} for names and sentences: joiners, as in emoji, and spaces of all kinds stay too. */
export function visibleOrder(text: string): string {
  return text.replace(REORDERING, (found) => (LAYOUT.has(found) ? found : writtenOut(found)));
}

function writtenOut(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return names[character] ?? `⟨U+${code}⟩`;
}
