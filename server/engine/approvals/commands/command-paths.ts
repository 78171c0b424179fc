import { expandHome, isAbsolutePath, NO_PLACES, type PathPlaces } from "../paths/path-places.ts";
import type { CommandLine, PathPart } from "./command-line.ts";
import { possibleWords } from "./possible-commands.ts";

/** A word of a command, or a part of one, that may be a path. */
export interface WordPath {
  /** Absolute, with links resolved. */
  readonly path: string;
  /** The word that it was found in. */
  readonly word: string;
}

/** More words are not resolved: each needs the disk. */
const MAX_WORDS = 400;

/** The files that a command redirects from and to, resolved as the shell does, and the folder that it runs in. */
export function linePaths(line: CommandLine, folder: string, places: PathPlaces): PathPart[] {
  const redirected = line.paths.map((part) => ({ ...part, path: inFolder(part.path, folder, places) }));
  // What a command does depends on where it runs.
  return [...redirected, { use: "folder", path: folder }];
}

/** An absolute path, or one that is relative to `folder`, with links resolved. */
function inFolder(path: string, folder: string, places: PathPlaces): string {
  const { realPath } = isAbsolutePath(folder) ? places : NO_PLACES;
  const expanded = expandHome(path, places);
  return realPath(isAbsolutePath(expanded) || expanded.startsWith("~") ? expanded : `${folder}/${expanded}`);
}

/** Every word of a command that may be a path; undefined if they are too many. */
export function wordPaths(line: CommandLine, folder: string, places: PathPlaces): readonly WordPath[] | undefined {
  const words = new Map<string, string>();
  for (const word of possibleWords(line)) {
    for (const piece of piecesOf(word)) {
      if (piece !== "") words.set(piece, word);
      if (words.size > MAX_WORDS) return undefined;
    }
  }
  return [...words].map(([piece, word]) => ({ path: inFolder(piece, folder, places), word }));
}

/**
 * A word as it is; the values of options such as `--file=x` and `-fx`; the parts of `HEAD:x`, `a:b` and `@x`; and the words
 * of a script.
 */
function* piecesOf(word: string): Generator<string, void, undefined> {
  yield word;
  yield word.replace(/^-[A-Za-z]/, "");
  yield* word.split(/[\s=:,;@'"`()<>|&{}[\]]+/);
  for (const { index } of word.matchAll(/[=:@]/g)) yield word.slice(index + 1);
}
