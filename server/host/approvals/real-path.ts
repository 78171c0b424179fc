import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** The number of dangling links that are followed one after another. */
const MAX_LINKS = 40;

/**
 * The real path of a path in a call, for rules about paths: relative to the workspace's first folder, where commands run, if
 * it is in that folder; else absolute. Links are resolved, also for files that do not exist yet, so that a link in a
 * repository cannot redirect an allowed path.
 */
export function resolveRealPath(path: string, root: string | undefined): string {
  if (root === undefined || path.startsWith("~")) return path;
  const target = real(resolve(root, path));
  const fromRoot = relative(real(root), target);
  if (fromRoot === "") return ".";
  const isOutside = fromRoot === ".." || fromRoot.startsWith(`..${sep}`) || isAbsolute(fromRoot);
  return (isOutside ? target : fromRoot).split(sep).join("/");
}

function real(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || links > MAX_LINKS) return path;
    const target = linkTarget(path);
    // Writing through a dangling link creates its target.
    return target === undefined ? join(real(parent, links), basename(path)) : real(resolve(parent, target), links + 1);
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
