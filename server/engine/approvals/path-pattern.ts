import { globMatcher } from "../glob.ts";

/** Which paths a rule's `path` fits. They are normal: with `/`, without `.` and inner `..`. */
export interface PathPattern {
  /** For a rule that allows: a relative pattern fits paths of the workspace alone, an absolute one absolute paths. */
  matches(path: string): boolean;
  /** For a rule that denies: also what ends in a path that it fits, whatever its capitals. */
  mightMatch(path: string): boolean;
}

/** @throws Error for a pattern that can not be read. */
export function parsePathPattern(text: string): PathPattern {
  const pattern = text.replaceAll("\0", "").replace(/^(?:\.\/)+/, "");
  if (pattern === "" || pattern !== text.replace(/^(?:\.\/)+/, ""))
    throw new Error(`the path pattern ${JSON.stringify(text)} is empty or holds a NUL`);
  for (const [open, close] of [
    ["[", "]"],
    ["{", "}"],
  ] as const) {
    if (pattern.split(open).length !== pattern.split(close).length)
      throw new Error(`the path pattern ${text} does not close a ${open}`);
  }
  const matches = globMatcher(pattern);
  const lower = globMatcher(pattern.toLowerCase());
  const anywhere = isAbsolute(pattern) ? lower : globMatcher(`**/${pattern.toLowerCase()}`);
  return {
    matches: (path) => isAbsolute(path) === isAbsolute(pattern) && !leavesWorkspace(path) && matches(path),
    mightMatch: (path) => lower(path.toLowerCase()) || anywhere(path.toLowerCase()),
  };
}

/** A path in its normal form: relative to the workspace's folder, or absolute; `../x` when it leads out of a relative folder. */
export function normalizePath(path: string, folder = ""): string {
  const slashed = path.replaceAll("\\", "/");
  const isPlaced = isAbsolute(slashed) || slashed.startsWith("~");
  const whole = isPlaced || folder === "" ? slashed : `${folder}/${slashed}`;
  const root = /^(?:[A-Za-z]:)?\//.exec(whole)?.[0] ?? "";
  const parts: string[] = [];
  for (const part of whole.slice(root.length).split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || root === "") parts.push(part);
  }
  return root + parts.join("/") || ".";
}

const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:)/.test(path);

const leavesWorkspace = (path: string): boolean => /^(?:\.\.(?:\/|$)|~)/.test(path);
