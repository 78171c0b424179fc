import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** Where the tools work: the absolute paths of the folders that are open. None means that no folder is open. */
export interface Workspace {
  readonly roots: () => readonly string[];
}

/** A folder that is open. `path` has its links resolved; `label` is what paths within it begin with when several are open. */
interface Root {
  readonly label: string;
  readonly given: string;
  readonly path: string;
}

/** A file or folder that exists within the workspace. */
export interface Place {
  /** Absolute, with every link resolved. */
  readonly path: string;
  /** As the user and the model know it: with `/`, from the root, after the root's label when several are open; `.` for a lone root. */
  readonly shown: string;
  /** The resolved root that holds it. */
  readonly root: string;
}

/** There is nothing at a path that the workspace could hold. */
export class NotFound extends Error {}

export const noFolder = (tool: string): string =>
  `${tool} needs an open folder and none is open; open one in the editor, then try again.`;

/**
 * The file or folder that `path` names: absolute, or looked for in each root, or `rootLabel/path`.
 * @throws NotFound when there is none; Error when it is outside the workspace, by its name or by where its links lead.
 */
export async function locate(workspace: Workspace, path: string): Promise<Place> {
  const roots = await realRoots(workspace);
  refuseForeignForms(path);
  const candidates = candidatePaths(roots, path);
  if (candidates.length === 0) throw outside(path);
  for (const candidate of candidates) {
    const real = await realpathIfThere(candidate, path);
    if (real !== undefined) return placeAt(roots, real, path);
  }
  throw new NotFound(`There is no "${path}" in the workspace.`);
}

/**
 * Where a file that is not there yet would be: below the folder that stands furthest along `path`, with its links resolved.
 * @throws Error when that is outside the workspace, below a link that leads nowhere, or in any of several folders.
 */
export async function locateNew(workspace: Workspace, path: string): Promise<Place> {
  const roots = await realRoots(workspace);
  refuseForeignForms(path);
  const candidates = candidatePaths(roots, path);
  if (candidates.length === 0) throw outside(path);
  const ways = await Promise.all(candidates.map((candidate) => wayTo(candidate, path)));
  const fewest = Math.min(...ways.map(({ missing }) => missing.length));
  const places = ways
    .filter(({ missing }) => missing.length === fewest)
    .map(({ standing, missing }) => placeAt(roots, join(standing, ...missing), path));
  const [place] = places;
  if (place === undefined) throw outside(path);
  if (places.every(({ root }) => root === place.root)) return place;
  const labels = roots.map(({ label }) => label).join(" or ");
  throw new Error(`"${path}" could be made in several of the open folders; begin the path with ${labels}.`);
}

/** The place of `path`, or every root when it is left out or names the whole workspace. */
export async function locateAll(workspace: Workspace, path: string | undefined): Promise<readonly Place[]> {
  if (path !== undefined && !["", ".", "./"].includes(path)) return [await locate(workspace, path)];
  const roots = await realRoots(workspace);
  return roots.map((root) => placeAt(roots, root.path, "."));
}

/** True when `target` is `folder` or lies within it; both are absolute and resolved. */
function isWithin(folder: string, target: string): boolean {
  const way = relative(folder, target);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

async function realRoots(workspace: Workspace): Promise<readonly Root[]> {
  const given = workspace.roots();
  const labels = new Map<string, number>();
  const roots: Root[] = [];
  for (const root of given) {
    const name = basename(root);
    const count = (labels.get(name) ?? 0) + 1;
    labels.set(name, count);
    const path = await realpath(root).catch(() => undefined);
    if (path !== undefined) roots.push({ label: count === 1 ? name : `${name}-${count}`, given: root, path });
  }
  if (roots.length === 0) {
    throw new Error(`The folder ${given[0] ?? ""} of the workspace can not be read; open one that exists.`);
  }
  return roots;
}

/** Refuses what another system or a shell would read as a path of its own, before the disk is touched. */
function refuseForeignForms(path: string): void {
  if (path.includes("\0")) throw new Error("A path can not hold a NUL character.");
  if (/^~(?:[\\/]|$)/.test(path)) throw outside(path);
  const windows = process.platform === "win32";
  if (!windows && /^(?:[A-Za-z]:(?:[\\/]|$)|\\\\)/.test(path)) throw outside(path);
  // Drive-relative paths, device paths and alternate streams; an absolute path within a root is a candidate like others.
  if (windows && (/^[A-Za-z]:(?![\\/])/.test(path) || /^[\\/]{2}/.test(path) || path.slice(2).includes(":"))) {
    throw outside(path);
  }
}

/** Absolute paths that `path` may mean, best first; none when each would leave its root. */
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
  // With several roots, listings print labels, so a label is what a path most likely begins with.
  return (roots.length > 1 ? [...named, ...direct] : [...direct, ...named])
    .filter(({ root, target }) => isWithin(root.path, target))
    .map(({ target }) => target);
}

async function realpathIfThere(candidate: string, path: string): Promise<string | undefined> {
  try {
    return await realpath(candidate);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "ELOOP") throw new Error(`"${path}" is a link that leads to itself.`);
    throw new Error(`"${path}" can not be read (${code ?? "unknown cause"}).`);
  }
}

/** The part of an absolute path that is there, with its links resolved, and the names that are not. */
async function wayTo(target: string, path: string): Promise<{ standing: string; missing: readonly string[] }> {
  const missing: string[] = [];
  for (let way = target; ; way = dirname(way)) {
    const standing = await realpathIfThere(way, path);
    if (standing !== undefined) return { standing, missing };
    const link = await lstat(way).catch(() => undefined);
    if (link !== undefined) throw new Error(`"${path}" is, or lies below, a link that leads nowhere; remove the link.`);
    missing.unshift(basename(way));
  }
}

function placeAt(roots: readonly Root[], real: string, path: string): Place {
  const root = roots.find((candidate) => isWithin(candidate.path, real));
  if (root === undefined)
    throw new Error(`"${path}" is a link that leads out of the workspace; only files within it can be used.`);
  const way = relative(root.path, real).split(sep).join("/");
  const shown = roots.length === 1 ? way || "." : way === "" ? root.label : `${root.label}/${way}`;
  return { path: real, shown, root: root.path };
}

const outside = (path: string): Error => new Error(`"${path}" is outside the workspace; give a path within it.`);

/** The system's code of a failed call, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
