import type { Position, TextEdit } from "vscode-languageserver/node";

/**
 * The smallest edit that turns `before` into `after`: text that is equal at both ends is not touched, and so the user's
 * cursor and folds are kept. CRLF and surrogate pairs are not split.
 */
export function textEdit(before: string, after: string): TextEdit {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  while (splitsCharacter(before, start) || splitsCharacter(after, start)) start--;
  let tail = 0;
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  while (splitsCharacter(before, before.length - tail) || splitsCharacter(after, after.length - tail)) tail--;
  const end = before.length - tail;
  return {
    range: { start: positionOf(before, start), end: positionOf(before, end) },
    newText: after.slice(start, after.length - tail),
  };
}

function splitsCharacter(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const [left, right] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return (left === 13 && right === 10) || (left >= 0xd800 && left < 0xdc00 && right >= 0xdc00 && right < 0xe000);
}

/** An LSP position: lines and UTF-16 units from 0; a line ends with `\n`, `\r\n` or `\r`. */
function positionOf(text: string, at: number): Position {
  const lines = text.slice(0, at).split(/\r\n|\n|\r/);
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}
