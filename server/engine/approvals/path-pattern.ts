import { globMatcher } from "../glob.ts";

/** A parsed `path` of a rule. Its methods take normalized paths; see {@link normalizePath}. */
export interface PathPattern {
  /** For allow rules: a relative pattern matches only paths inside the workspace, an absolute one only absolute paths. */
  matches(path: string): boolean;
  /** For deny and ask rules: also matches a path that ends in a matching path, and ignores case. */
  mightMatch(path: string): boolean;
}

/** @throws Error for a malformed pattern. */
export function parsePathPattern(text: string): PathPattern {
  const pattern = text.replaceAll("\0", "").replace(/^(?:\.\/)+/, "");
  if (pattern === "" || pattern !== text.replace(/^(?:\.\/)+/, ""))
    throw new Error(`the path pattern ${JSON.stringify(text)} is empty or contains a NUL character`);
  for (const [open, close] of [
    ["[", "]"],
    ["{", "}"],
  ] as const) {
    if (pattern.split(open).length !== pattern.split(close).length)
      throw new Error(`the path pattern ${text} has an unclosed ${open}`);
  }
  const matches = globMatcher(pattern);
  const lower = globMatcher(pattern.toLowerCase());
  const anywhere = isAbsolute(pattern) ? lower : globMatcher(`**/${pattern.toLowerCase()}`);
  return {
    matches: (path) => isAbsolute(path) === isAbsolute(pattern) && !leavesWorkspace(path) && matches(path),
    mightMatch: (path) => lower(path.toLowerCase()) || anywhere(path.toLowerCase()),
  };
}

/**
 * A path with `/` and without `.` and inner `..`: absolute, or relative to the workspace; `../x` for one that leads out of
 * it. A relative path is resolved against `folder`.
 */
export function normalizePath(path: string, folder = ""): string {
  const slashed = path.replaceAll("\\", "/");
  const isRooted = isAbsolute(slashed) || slashed.startsWith("~");
  const whole = isRooted || folder === "" ? slashed : `${folder}/${slashed}`;
  const root = /^(?:[A-Za-z]:)?\//.exec(whole)?.[0] ?? "";
  const parts: string[] = [];
  for (const part of whole.slice(root.length).split("/")) {
    if (part === "" || part === ".") continue;
    const last = parts.at(-1);
    // The folder above `~` is not the workspace.
    const isHome = parts.length === 1 && last?.startsWith("~");
    if (part === ".." && last !== undefined && last !== ".." && !isHome) parts.pop();
    else if (part !== ".." || root === "") parts.push(part);
  }
  return root + parts.join("/") || ".";
}

const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:)/.test(path);

const leavesWorkspace = (path: string): boolean => /^(?:\.\.(?:\/|$)|~)/.test(path);
