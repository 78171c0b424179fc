import { lstat, realpath } from "node:fs/promises";

/** Those of the paths at which there is something, links resolved; of a link both itself and where it leads. */
export async function existingPaths(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      if (!(await lstat(path).catch(() => undefined))) return [];
      const real = await realpath(path).catch(() => undefined);
      return real === undefined ? [path] : [path, real];
    }),
  );
  return [...new Set(found.flat())];
}
