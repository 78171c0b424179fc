const CONTEXT = 3;
const MAX_LINES = 200;

/**
 * A change as a diff of one hunk: from the first to the last line that differs, with `-` before old and `+` before new
 * lines and three lines of context. Cut to 200 lines, with a note of how many are left out.
 */
export function diffText(before: string, after: string): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  const start = Math.max(0, head - CONTEXT);
  const lines = [
    `@@ line ${start + 1} @@`,
    ...old.slice(start, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + CONTEXT).map((line) => ` ${line}`),
  ];
  const left = lines.length - MAX_LINES;
  return `${lines.slice(0, MAX_LINES).join("\n")}\n${left > 0 ? `… ${left} more lines\n` : ""}`;
}

/** How many lines a text has. */
export function lineCount(text: string): number {
  return linesOf(text).length;
}

/** A final newline does not start another line. */
function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
