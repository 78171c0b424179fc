/** The `path` field of an event or a placed object, left out where the path is empty. */
export const pathField = (path: readonly string[] | undefined): { path?: string[] } =>
  path === undefined || path.length === 0 ? {} : { path: [...path] };
