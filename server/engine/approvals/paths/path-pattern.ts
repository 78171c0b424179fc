import { globMatcher } from "../../glob.ts";
import { expandHome, isAbsolutePath, NO_PLACES, normalizePath, type PathPlaces, pathWithin } from "./path-places.ts";

/** A parsed `path` of a rule. Its methods take paths with links resolved, normalized; see `possiblePaths`. */
export interface PathPattern {
  /**
   * For allow rules. A relative pattern matches within the root that its first name names, else within the first root; an
   * absolute one matches absolute paths.
   */
  matches(path: string): boolean;
  /**
   * For deny and ask rules: matches in every folder, without regard to case, and everything below a folder that a pattern
   * without wildcards at its end names.
   */
  mightMatch(path: string): boolean;
  /** True without wildcards: it matches one path. */
  readonly isLiteral: boolean;
}

/** Something that matches paths in and below a folder. */
interface Anchored {
  /** Absolute. */
  readonly folder: string;
  /** Takes a path from the folder, empty for the folder itself. */
  readonly matches: (below: string) => boolean;
}

/** A path as a pattern that matches only this path. */
export const escapeGlob = (path: string): string => path.replace(/[*?[\]{}\\]/g, "\\$&");

/** @throws Error for a malformed pattern. */
export function parsePathPattern(text: string, places: PathPlaces = NO_PLACES): PathPattern {
  const pattern = expandHome(plainPattern(text), places);
  const matches = globMatcher(pattern);
  const allowed = lazily(() => allowedPlaces(pattern, places));
  const denied = lazily(() => deniedPlaces(pattern, places));
  const anywhere = globMatcher(isAbsolutePath(pattern) ? denyGlob(pattern) : `**/${denyGlob(pattern)}`);
  return {
    isLiteral: pattern.split("/").every(isLiteral),
    matches: (path) =>
      isAbsolutePath(path)
        ? (isAbsolutePath(pattern) && matches(path)) || allowed().some((place) => isAt(place, path))
        : !isAbsolutePath(pattern) && !leavesWorkspace(path) && matches(path),
    mightMatch: (path) => anywhere(path.toLowerCase()) || denied().some((place) => isAt(place, path.toLowerCase())),
  };
}

function plainPattern(text: string): string {
  const pattern = text
    .replaceAll("\0", "")
    .replace(/^(?:\.\/+)+(?=.)/, "")
    .replace(/(?<=[^\\/])\/+$/, "/**");
  if (/^(?:\.\/+)*$/.test(text) || text.includes("\0"))
    throw new Error(`the path pattern ${JSON.stringify(text)} is empty or contains a NUL character`);
  for (const [open, close] of [
    ["[", "]"],
    ["{", "}"],
  ] as const) {
    if (pattern.split(open).length !== pattern.split(close).length)
      throw new Error(`the path pattern ${text} has an unclosed ${open}`);
  }
  return pattern;
}

/** Where an allow rule with this pattern matches, beside the pattern itself. */
function allowedPlaces(pattern: string, { roots, realPath }: PathPlaces): readonly Anchored[] {
  if (isAbsolutePath(pattern)) {
    const { folder, rest } = literalStart(pattern);
    // Within a root, a link of the repository could lead elsewhere.
    const isInRoot = roots.some((root) => pathWithin(root.path, folder) !== undefined);
    return isInRoot || folder === "" ? [] : [anchored(realPath(folder), rest)];
  }
  const [first] = roots;
  const { name, rest } = firstName(pattern);
  const named = roots.length > 1 ? roots.filter(({ label }) => label === name) : [];
  if (named.length > 0) return named.map((root) => anchored(root.path, rest));
  return first === undefined ? [] : [anchored(first.path, pattern === "." ? "" : pattern)];
}

/** Where a deny rule with this pattern matches beside `**` with the pattern: by a root's name, or through a link. */
function deniedPlaces(pattern: string, { roots, realPath }: PathPlaces): readonly Anchored[] {
  const glob = denyGlob(pattern);
  const { name, rest } = firstName(pattern);
  const named = roots
    .filter(({ label }) => label.toLowerCase() === name.toLowerCase())
    .map((root) => anchored(root.path.toLowerCase(), denyGlob(rest)));
  const { folder, rest: wild } = literalStart(pattern);
  const starts = isAbsolutePath(pattern) ? [folder] : roots.map((root) => normalizePath(`${root.path}/${folder}`));
  const linked = starts.map((start) => anchored(realPath(start).toLowerCase(), wild === "" ? "**" : denyGlob(wild)));
  const whole = roots[0] !== undefined && glob === "." ? [anchored(roots[0].path.toLowerCase(), "**")] : [];
  return [...named, ...(folder === "" ? [] : linked), ...whole];
}

/** In lower case; a name without wildcards at the end also stands for what is below it. */
function denyGlob(pattern: string): string {
  const lower = pattern.toLowerCase();
  return lower === "" ? "**" : isLiteral(lower.split("/").at(-1) ?? "") && lower !== "." ? `${lower}/**` : lower;
}

const anchored = (folder: string, glob: string): Anchored => {
  const matches = globMatcher(glob);
  return { folder, matches: (below) => (below === "" ? /^(?:\*\*)?$/.test(glob) : matches(below)) };
};

function isAt({ folder, matches }: Anchored, path: string): boolean {
  const below = pathWithin(folder, path);
  return below !== undefined && matches(below);
}

/** A name that a glob takes as it is, apart from escaped characters. */
const isLiteral = (name: string): boolean => !/[*?[{]/.test(name.replace(/\\./gs, ""));

/** The names before the first one with a wildcard, and the rest of the pattern. */
function literalStart(pattern: string): { readonly folder: string; readonly rest: string } {
  const names = pattern.split("/");
  const at = names.findIndex((name) => !isLiteral(name));
  const start = at === -1 ? names : names.slice(0, at);
  return { folder: start.join("/").replace(/\\(.)/gs, "$1"), rest: at === -1 ? "" : names.slice(at).join("/") };
}

function firstName(pattern: string): { readonly name: string; readonly rest: string } {
  const [name = "", ...rest] = pattern.split("/");
  return { name: name.replace(/\\(.)/gs, "$1"), rest: rest.join("/") };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const leavesWorkspace = (path: string): boolean => /^(?:\.\.(?:\/|$)|~)/.test(path);
