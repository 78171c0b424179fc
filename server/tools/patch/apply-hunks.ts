import { setImmediate } from "node:timers/promises";
import { lineEndingOf, withLineEnding } from "../text/line-endings.ts";
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
  const ending = lineEndingOf(text);
  const all = withLineEnding(text, "\n").split("\n");
  const hasFinalBreak = all.at(-1) === "" && all.length > 1;
  if (hasFinalBreak || text === "") all.pop();
  const lines = new TextLines(all);
  const done: string[] = [];
  let from = 0;
  const keepUntil = (end: number): void => {
    for (; from < end; from++) done.push(all[from] ?? "");
  };
  for (const [at, hunk] of hunks.entries()) {
    await setImmediate();
    signal.throwIfAborted();
    keepUntil(await placeOf(lines, from, hunk, `Change ${at + 1} of "${shown}"`));
    // Lines that stay are the file's own, also where the patch has other white space.
    for (const { kind, text: line } of hunk.lines) {
      if (kind === "added") done.push(line);
      else if (kind === "same") keepUntil(from + 1);
      else from++;
    }
  }
  keepUntil(all.length);
  const joined = done.length === 0 ? "" : done.join("\n") + (hasFinalBreak || text === "" ? "\n" : "");
  return withLineEnding(joined, ending);
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
