/** What is left out of code that shows only a part of a file: a line such as `// ...` or `# … rest of the file`. */
const ELISION = /^\s*(?:\/\/|#|--|\/\*|<!--|%|;|\{\/\*)?\s*(?:\.\.\.|…)/m;

/**
 * Whether code is a new version of a whole file, not a part of it: it leaves nothing out, begins or ends as the file does,
 * and keeps at least half of its lines. Blank lines and indentation do not count.
 */
export function isWholeFile(code: string, file: string): boolean {
  const old = linesOf(file);
  if (old.length === 0) return true;
  const fresh = linesOf(code);
  if (ELISION.test(code) || (fresh[0] !== old[0] && fresh.at(-1) !== old.at(-1))) return false;
  const left = new Map<string, number>();
  for (const line of fresh) left.set(line, (left.get(line) ?? 0) + 1);
  let kept = 0;
  for (const line of old) {
    const count = left.get(line) ?? 0;
    if (count === 0) continue;
    left.set(line, count - 1);
    kept++;
  }
  return kept * 2 >= old.length;
}

/** Where code goes in a text, as offsets, and what is written there. */
export interface CodeEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replaces a whole text by code, which then ends as the text does: with a line break, except where it had none. */
export function wholeFileEdit(code: string, file: string): CodeEdit {
  const isEnded = file.trim() === "" || file.endsWith("\n");
  return { start: 0, end: file.length, text: isEnded && !code.endsWith("\n") ? `${code}\n` : code };
}

/** Adds code at the end of a text, as lines of its own. */
export function appendEdit(code: string, file: string): CodeEdit {
  const isEnded = file === "" || file.endsWith("\n");
  return { start: file.length, end: file.length, text: `${isEnded ? "" : "\n"}${code}\n` };
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
