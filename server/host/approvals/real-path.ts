import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, parse, sep } from "node:path";

/** The number of links that are followed one after another, as in Linux. */
const MAX_LINKS = 40;

/**
 * An absolute path with its links resolved and with `/`, also for files that do not exist yet: writing through a link that
 * leads nowhere creates its target. As for programs, `..` is the folder above the target of a link before it.
 */
export function resolveRealPath(path: string): string {
  return (existingPath(path) ?? stepwise(path, 0)).split(sep).join("/");
}

/** An absolute path as given and, if it is another, with its links resolved. */
export function withRealPath(path: string): readonly string[] {
  const resolved = resolveRealPath(path);
  return resolved === path ? [path] : [path, resolved];
}

/** The system's own resolution. The one of Node takes `..` from the name before it resolves links. */
function existingPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function stepwise(path: string, links: number): string {
  const { root } = parse(path);
  let at = root;
  for (const name of path.slice(root.length).split(/[\\/]/)) {
    if (name === "" || name === ".") continue;
    at = name === ".." ? dirname(at) : (existingPath(join(at, name)) ?? followed(at, name, links));
  }
  return at;
}

/** A name that does not exist, or a link that leads nowhere yet. */
function followed(folder: string, name: string, links: number): string {
  const path = join(folder, name);
  const target = linkTarget(path);
  if (target === undefined || links >= MAX_LINKS) return path;
  return stepwise(isAbsolute(target) ? target : `${folder}${sep}${target}`, links + 1);
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
