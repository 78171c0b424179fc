/**
 * Characters that change what a reader sees without being seen: text-direction overrides, zero-width characters, controls.
 * A command that is to be approved must not be able to look like another one.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** The text with every hidden character written out as its code point. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0") ?? "";
    return character === "\r" ? "␍" : `⟨U+${code}⟩`;
  });
}
