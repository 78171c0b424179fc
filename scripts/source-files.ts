import { existsSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

/**
 * Every TypeScript source below a folder of the project, as paths from its root with `/`, sorted.
 * A folder that does not exist has none.
 */
export function sourceFiles(projectRoot: string, folder: string): string[] {
  const start = join(projectRoot, folder);
  if (!existsSync(start)) return [];
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(projectRoot, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}
