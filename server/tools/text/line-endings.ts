export type LineEnding = "\n" | "\r\n";

/** What most lines of a text end with; `\n` where none ends. */
export function lineEndingOf(text: string): LineEnding {
  const marked = text.split("\r\n").length - 1;
  const all = text.split("\n").length - 1;
  return marked * 2 > all ? "\r\n" : "\n";
}

/** The text with every line end written one way. */
export function withLineEnding(text: string, ending: LineEnding): string {
  const plain = text.replaceAll("\r\n", "\n");
  return ending === "\n" ? plain : plain.replaceAll("\n", ending);
}
