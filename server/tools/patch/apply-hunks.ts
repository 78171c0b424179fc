import { setImmediate } from "node:timers/promises";
import { lineEndingOf } from "../text/line-endings.ts";
import { mostSimilarLines } from "../text/nearest-lines.ts";
import type { Hunk } from "./parse-patch.ts";
import { TextLines } from "./text-lines.ts";

/** How many places of lines that are there more than once are named. */
const MOST_NAMED = 5;

/**
 * A text with the hunks applied in their order, each after the one before. The text keeps its line endings. The event loop
 * turns after each hunk.
 * @throws Error in one sentence for a hunk whose lines are not there, or are there more than once.
 */
export async function applyHunks(
  text: string,
  hunks: readonly Hunk[],
  shown: string,
  signal: AbortSignal,
): Promise<string> {
  const { own, plain, hasFinalBreak, carriage } = linesOf(text);
  const lines = new TextLines(plain);
  const done: string[] = [];
  let from = 0;
  let endsAsBefore = false;
  const keepUntil = (end: number): void => {
    for (; from < end; from++) done.push(own[from] ?? "");
    endsAsBefore = from === own.length;
  };
  for (const [at, hunk] of hunks.entries()) {
    await setImmediate();
    signal.throwIfAborted();
    keepUntil(await placeOf(lines, from, hunk, `Change ${at + 1} of "${shown}"`));
    // Lines that stay are the file's own, also where the patch has other white space.
    for (const { kind, text: line } of hunk.lines) {
      if (kind === "same") keepUntil(from + 1);
      else if (kind === "removed") from++;
      else done.push(line + carriage);
      if (kind !== "same") endsAsBefore = false;
    }
  }
  if (from < own.length) keepUntil(own.length);
  const joined = done.join("\n");
  if (hasFinalBreak) return done.length === 0 ? "" : `${joined}\n`;
  const hasCarriage = joined.endsWith("\r") && (carriage !== "" || !endsAsBefore);
  return hasCarriage ? joined.slice(0, -1) : joined;
}

/**
 * The lines of a text: its own, some of which may have a carriage return, and without it. All but the last line of a text
 * that does not end with a line break have their break's. `carriage` is what a new line gets.
 */
function linesOf(text: string) {
  const carriage = lineEndingOf(text) === "\r\n" ? "\r" : "";
  const own = text.split("\n");
  const last = own.pop() ?? "";
  const plain = own.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const hasFinalBreak = last === "";
  if (!hasFinalBreak) {
    own.push(last + carriage);
    plain.push(last);
  }
  return { own, plain, hasFinalBreak, carriage };
}

/** The line at which a hunk begins. */
async function placeOf(lines: TextLines, from: number, hunk: Hunk, what: string): Promise<number> {
  const { anchors, atEnd } = hunk;
  const old = hunk.lines.flatMap((line) => (line.kind === "added" ? [] : [line.text]));
  let after = from;
  for (const anchor of anchors) {
    const [found] = await lines.find([anchor], { from: after, most: 1 });
    if (found === undefined)
      throw new Error(`${what} does not apply: the line ${JSON.stringify(anchor)} is not there.`);
    after = found + 1;
  }
  // Nothing but new lines: after its anchor, else at the end.
  if (old.length === 0) return anchors.length === 0 || atEnd ? lines.all.length : after;
  const isAnchored = anchors.length > 0;
  // What the anchor names may itself be among the lines.
  const search = { from: isAnchored ? after - 1 : after, most: isAnchored ? 1 : MOST_NAMED + 1, atEnd };
  const [place, ...others] = await lines.find(old, search);
  if (place === undefined) throw new Error(`${what} does not apply: its lines are not there; ${hintFor(lines, old)}`);
  if (others.length === 0) return place;
  const where = [place, ...others].slice(0, MOST_NAMED).map((one) => one + 1);
  const more = others.length < MOST_NAMED ? "" : " and more";
  throw new Error(
    `${what} does not apply: its lines are there more than once, at lines ${where.join(", ")}${more}; add lines around ` +
      "them, or an @@ line.",
  );
}

function hintFor(lines: TextLines, old: readonly string[]): string {
  const near = mostSimilarLines(lines.all.join("\n"), old.join("\n"));
  return near === undefined
    ? "read the file again"
    : `lines ${near.from} to ${near.to} are most similar:\n${near.text}`;
}
