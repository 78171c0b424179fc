import { escapeGlob, parsePathPattern } from "./path-pattern.ts";
import { isAbsolutePath, type PathPlaces, pathWithin } from "./path-places.ts";

/** Characters that a backslash may make literal in a pattern. */
const ESCAPED = /\\[*?[\]{}\\!,^-]/g;

/**
 * A path pattern of a new rule in the form in which paths are compared: `secrets/` as `secrets/**`, without `.` and `..`,
 * and relative to the open folder that it is in. @throws Error in one sentence for a pattern that could never match.
 */
export function plainPathRule(text: string, places: PathPlaces): string {
  const wrong = wrongForm(text);
  if (wrong !== undefined) throw new Error(`the path pattern ${text} ${wrong}`);
  const folder = /\/+$/.test(text) && !/^(?:\.?\/)+$/.test(text) ? `${text.replace(/\/+$/, "")}/**` : text;
  const pattern = withinRoot(absoluteIfAbove(withoutDots(folder, text), text, places), places);
  parsePathPattern(pattern, places);
  return pattern;
}

function wrongForm(text: string): string | undefined {
  if (/^(?:\.\/+)*$/.test(text)) return "is empty; write . for the whole workspace";
  if (/^[a-z][a-z0-9+.-]+:\//i.test(text)) return "is a URL; write the path itself, such as src/**";
  if (text.replace(ESCAPED, "").includes("\\")) return "has a backslash between folders; write / instead";
  if (/^~[^/]/.test(text)) return "starts with a user's name; write the folder itself, such as /home/ann/**";
  return undefined;
}

/** Without empty names, `.` and `..`, except for `..` at the start. */
function withoutDots(pattern: string, text: string): string {
  const root = /^(?:[A-Za-z]:)?\//.exec(pattern)?.[0] ?? "";
  const names: string[] = [];
  for (const name of pattern.slice(root.length).split("/")) {
    if (name === "" || name === ".") continue;
    const last = names.at(-1);
    if (name === ".." && last !== undefined && /[*?[{]/.test(last.replace(ESCAPED, "")))
      throw new Error(
        `the path pattern ${text} has .. after a wildcard, which matches nothing; write the folder itself`,
      );
    if (name === ".." && last !== undefined && last !== "..") names.pop();
    else if (name !== ".." || root === "") names.push(name);
  }
  return root + names.join("/") || ".";
}

/** A pattern that leads out of the first root, as an absolute one. */
function absoluteIfAbove(pattern: string, text: string, { roots: [first] }: PathPlaces): string {
  if (!/^\.\.(?:\/|$)/.test(pattern)) return pattern;
  if (first === undefined)
    throw new Error(`the path pattern ${text} leads out of the workspace; write an absolute path`);
  return withoutDots(`${escapeGlob(first.path)}/${pattern}`, text);
}

/** An absolute pattern within an open folder, as the workspace shows paths. */
function withinRoot(pattern: string, { roots, realPath }: PathPlaces): string {
  if (!isAbsolutePath(pattern)) return pattern;
  const names = pattern.split("/");
  const wild = names.findIndex((name) => /[*?[{]/.test(name.replace(ESCAPED, "")));
  const start = names
    .slice(0, wild === -1 ? names.length : wild)
    .join("/")
    .replace(/\\(.)/gs, "$1");
  const rest = wild === -1 ? [] : names.slice(wild);
  for (const folder of [start, start === "" ? start : realPath(start)]) {
    const root = roots.find(({ path }) => pathWithin(path, folder) !== undefined);
    if (root === undefined) continue;
    const below = escapeGlob(pathWithin(root.path, folder) ?? "");
    const within = [roots.length > 1 ? escapeGlob(root.label) : "", below, ...rest].filter((name) => name !== "");
    return within.length === 0 ? "." : within.join("/");
  }
  return pattern;
}
