/** The `path` field of an event or a placed object, left out where the path is empty. */
export const pathField = (path: readonly string[] | undefined): { path?: string[] } =>
  path === undefined || path.length === 0 ? {} : { path: [...path] };

/** True for a path that begins with all of `start`. */
export const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((name, at) => path[at] === name);

/** True for participants inside the one at `path` and for those around it, whose turns end with its run. */
export const isOnPath = (path: readonly string[], other: readonly string[]): boolean =>
  startsWith(other, path) || startsWith(path, other);

export const samePath = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && startsWith(a, b);
