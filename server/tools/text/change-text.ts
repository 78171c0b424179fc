const CONTEXT = 3;
const MAX_LINES = 200;

/**
 * A change as a person reads it: the lines that differ, from the first to the last, with `-` before what went and `+` before
 * what came, and three lines around them. What is longer than 200 lines is cut, and says so.
 */
export function changeText(before: string, after: string): string {
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

/** A newline ends a line and begins none. */
function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
