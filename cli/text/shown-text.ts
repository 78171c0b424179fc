import { visibleLines, visibleOrder, visibleText } from "../../shared/text/visible-text.ts";

// Text of models, tools, files and endpoints could move the cursor, change colours, make links or set the clipboard by
// control characters, and show words in another order. All of these are written out: ⟨U+001B⟩.

/** Text with lines, such as a message; a return at a line's end is part of its end. */
export const shownText = (text: string): string => visibleOrder(text.replaceAll("\r\n", "\n")).replaceAll("\t", "    ");

/** A name or a sentence, in one line. */
export const shownLine = (text: string): string => shownText(text).replaceAll(/\s+/g, " ").trim();

/** What would run, with every invisible character written out. */
export const shownCommand = (text: string): string => visibleText(text).text;

/** Text with its own layout that is to be judged, such as a change of a file. */
export const shownCode = (text: string): string => visibleLines(text).replaceAll("\t", "    ");

/** A line of JSON in which no character is invisible, and which is read as the same value. */
export const shownJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );
