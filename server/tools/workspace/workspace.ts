import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { SensitiveFiles } from "../../engine/sensitive/sensitive-files.ts";

/** The absolute paths of the open folders, in which the tools work; empty when no folder is open. */
export interface Workspace {
  readonly roots: () => readonly string[];
  /** The files that tools treat with care; none when left out. */
  readonly files?: SensitiveFiles;
}

/**
 * An open folder: `path` is absolute and has its links resolved; `label` is the prefix of paths within it when several
 * folders are open.
 */
interface Root {
  readonly label: string;
  readonly given: string;
  readonly path: string;
}

/** A file or folder within the workspace. */
export interface WorkspacePath {
  /** Absolute, with every link resolved. */
  readonly path: string;
  /**
   * The path as shown to users and models: relative to the root, with `/`, after the root's label when several are
   * open; `.` for a single root.
   */
  readonly shown: string;
  /** The resolved root that holds it. */
  readonly root: string;
}

/** Nothing exists at a path of the workspace. */
export class NotFoundError extends Error {}

export const noFolderMessage = (tool: string): string =>
  `${tool} needs an open folder, and none is open; open one in the editor, then try again.`;

/**
 * The file or folder at `path`: absolute, relative to one of the roots, or `rootLabel/path`.
 * @throws NotFound when there is none; Error when it is outside the workspace, by its name or through a link.
 */
export async function locate(workspace: Workspace, path: string): Promise<WorkspacePath> {
  const roots = await realRoots(workspace);
  assertPortableForm(path);
  const candidates = candidatePaths(roots, path);
  if (candidates.length === 0) throw outsideError(path);
  for (const candidate of candidates) {
    const real = await realpathIfExists(candidate, path);
    if (real !== undefined) return workspacePathOf(workspace, roots, real, path);
  }
  throw new NotFoundError(`There is no "${path}" in the workspace.`);
}

/**
 * Where a new file would be: below the deepest existing folder of `path`, with its links resolved.
 * @throws Error when that is outside the workspace, below a broken link, or ambiguous between several open folders.
 */
async function locateNew(workspace: Workspace, path: string): Promise<WorkspacePath> {
  const roots = await realRoots(workspace);
  assertPortableForm(path);
  const candidates = candidatePaths(roots, path);
  if (candidates.length === 0) throw outsideError(path);
  const parts = await Promise.all(candidates.map((candidate) => existingPart(candidate, path)));
  const fewest = Math.min(...parts.map(({ missing }) => missing.length));
  const places = parts
    .filter(({ missing }) => missing.length === fewest)
    .map(({ existing, missing }) => workspacePathOf(workspace, roots, join(existing, ...missing), path));
  const [place] = places;
  if (place === undefined) throw outsideError(path);
  if (places.every(({ root }) => root === place.root)) return place;
  const labels = roots.map(({ label }) => label).join(" or ");
  throw new Error(`"${path}" could be created in several of the open folders; start the path with ${labels}.`);
}

/** The existing file or folder at `path`, else where a new one would be. @throws Error as both do. */
export async function locateAny(workspace: Workspace, path: string): Promise<WorkspacePath> {
  try {
    return await locate(workspace, path);
  } catch (error) {
    if (error instanceof NotFoundError) return locateNew(workspace, path);
    throw error;
  }
}

/** The file or folder at `path`, or every root when `path` is omitted or means the whole workspace. */
export async function locateAll(workspace: Workspace, path: string | undefined): Promise<readonly WorkspacePath[]> {
  if (path !== undefined && !["", ".", "./"].includes(path)) return [await locate(workspace, path)];
  const roots = await realRoots(workspace);
  return roots.map((root) => workspacePathOf(workspace, roots, root.path, "."));
}

/** True when `target` is `folder` or lies within it; both are absolute and resolved. */
export function isWithin(folder: string, target: string): boolean {
  const path = relative(folder, target);
  return path === "" || (path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path));
}

/** The names that paths in the open folders may start with. */
export function rootLabels(roots: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  return roots.map((root) => {
    const name = basename(root);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}-${count}`;
  });
}

async function realRoots(workspace: Workspace): Promise<readonly Root[]> {
  const given = workspace.roots();
  const labels = rootLabels(given);
  const paths = await Promise.all(given.map((root) => realpath(root).catch(() => undefined)));
  const roots = given.flatMap((root, at): Root[] => {
    const path = paths[at];
    return path === undefined ? [] : [{ label: labels[at] ?? "", given: root, path }];
  });
  if (roots.length > 0) return roots;
  throw new Error(`The folder ${workspace.roots()[0] ?? ""} of the workspace cannot be read; open one that exists.`);
}

/** Refuses forms that another system or a shell would resolve elsewhere, before the disk is accessed. @throws Error */
function assertPortableForm(path: string): void {
  if (path.includes("\0")) throw new Error("A path must not contain a NUL character.");
  if (/^~(?:[\\/]|$)/.test(path)) throw outsideError(path);
  const windows = process.platform === "win32";
  if (!windows && /^(?:[A-Za-z]:(?:[\\/]|$)|\\\\)/.test(path)) throw outsideError(path);
  // Drive-relative paths, device paths and alternate data streams. An absolute path within a root is allowed.
  if (windows && (/^[A-Za-z]:(?![\\/])/.test(path) || /^[\\/]{2}/.test(path) || path.slice(2).includes(":"))) {
    throw outsideError(path);
  }
}

/** The absolute paths that `path` may mean, best first; none when each is outside its root. */
function candidatePaths(roots: readonly Root[], path: string): readonly string[] {
  if (isAbsolute(path)) {
    const target = resolve(path);
    return roots.some((root) => isWithin(root.path, target) || isWithin(resolve(root.given), target)) ? [target] : [];
  }
  const direct = roots.map((root) => ({ root, target: join(root.path, path) }));
  const [first, ...rest] = path.split(/[\\/]/);
  const named = roots
    .filter((root) => root.label === first)
    .map((root) => ({ root, target: join(root.path, rest.join("/")) }));
  // With several roots, listings show labels, so a path most likely starts with one.
  return (roots.length > 1 ? [...named, ...direct] : [...direct, ...named])
    .filter(({ root, target }) => isWithin(root.path, target))
    .map(({ target }) => target);
}

async function realpathIfExists(candidate: string, path: string): Promise<string | undefined> {
  try {
    return await realpath(candidate);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "ELOOP") throw new Error(`"${path}" is a link that leads to itself.`);
    throw new Error(`"${path}" cannot be read (${code ?? "unknown cause"}).`);
  }
}

/** The existing part of an absolute path, with its links resolved, and the missing names after it. */
async function existingPart(target: string, path: string): Promise<{ existing: string; missing: readonly string[] }> {
  const missing: string[] = [];
  for (let part = target; ; part = dirname(part)) {
    const existing = await realpathIfExists(part, path);
    if (existing !== undefined) return { existing, missing };
    const link = await lstat(part).catch(() => undefined);
    if (link !== undefined) throw new Error(`"${path}" is, or is below, a broken link; remove the link.`);
    missing.unshift(basename(part));
  }
}

function workspacePathOf({ files }: Workspace, roots: readonly Root[], real: string, path: string): WorkspacePath {
  if (files?.isOwn(real)) throw new Error(`"${path}" is Gavel's own storage, which no tool may read or change.`);
  const root = roots.find((candidate) => isWithin(candidate.path, real));
  if (root === undefined)
    throw new Error(`"${path}" is a link that leads out of the workspace; only files within it can be used.`);
  const fromRoot = relative(root.path, real).split(sep).join("/");
  const shown = roots.length === 1 ? fromRoot || "." : fromRoot === "" ? root.label : `${root.label}/${fromRoot}`;
  return { path: real, shown, root: root.path };
}

const outsideError = (path: string): Error => new Error(`"${path}" is outside the workspace; give a path within it.`);

/** The system's error code, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
