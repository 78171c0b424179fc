import { decodeText, type Encoding, encodeText } from "../../../tools/index.ts";
import { linesOf } from "./line-hunks.ts";
import { mergeLines } from "./merge-lines.ts";

/** A file as lines; null when there is no file. A file that is no text is one line, which is merged as a whole. */
export type FileText = { readonly lines: readonly string[]; readonly encoding: Encoding | "none" } | null;

export function fileText(bytes: Buffer | null): FileText {
  if (bytes === null) return null;
  try {
    const { text, encoding } = decodeText(bytes, "");
    return { lines: linesOf(text), encoding };
  } catch {
    return { lines: [bytes.toString("latin1")], encoding: "none" };
  }
}

export function fileBytes(file: FileText): Buffer | null {
  if (file === null) return null;
  const text = file.lines.join("");
  return file.encoding === "none" ? Buffer.from(text, "latin1") : encodeText({ text, encoding: file.encoding });
}

/**
 * The change from one content to another, made in a third (see {@link mergeLines}); undefined if that has changed the same
 * lines, or one of them is no file.
 */
export function mergedFile(from: FileText, to: FileText, onto: FileText): FileText | undefined {
  if (isSameText(from, onto)) return to;
  if (from === null || to === null || onto === null) return undefined;
  const { lines, conflicts } = mergeLines(from.lines, to.lines, onto.lines);
  return conflicts.length === 0 ? { ...onto, lines } : undefined;
}

export function isSameText(a: FileText, b: FileText): boolean {
  if (a === null || b === null) return a === b;
  return a.lines.length === b.lines.length && a.lines.every((line, at) => line === b.lines[at]);
}
