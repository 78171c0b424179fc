export type LineEnding = "\n" | "\r\n";

/** The most common line ending of a text; `\n` when it has none. */
export function lineEndingOf(text: string): LineEnding {
  const marked = text.split("\r\n").length - 1;
  const all = text.split("\n").length - 1;
  return marked * 2 > all ? "\r\n" : "\n";
}

/** The text with every line ending replaced by the given one. */
export function withLineEnding(text: string, ending: LineEnding): string {
  const plain = text.replaceAll("\r\n", "\n");
  return ending === "\n" ? plain : plain.replaceAll("\n", ending);
}
