import { basename } from "node:path";
import { walk } from "./walk.ts";
import { locateAll, type Workspace } from "./workspace.ts";

const MAX_VISITED = 5000;
const MAX_NAMED = 3;

/** Files whose name is equal or similar to that of `path`, the most similar first. */
export async function similarFiles(
  workspace: Workspace,
  path: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const wanted = basename(path.replaceAll("\\", "/")).toLowerCase();
  const found: { readonly shown: string; readonly distance: number }[] = [];
  let visited = 0;
  for (const root of await locateAll(workspace, undefined)) {
    for await (const { shown, kind } of walk(root, signal)) {
      if (++visited > MAX_VISITED) break;
      if (kind === "folder") continue;
      const distance = editDistance(wanted, basename(shown).toLowerCase());
      if (distance <= Math.max(1, Math.floor(wanted.length / 3))) found.push({ shown, distance });
    }
  }
  return found
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_NAMED)
    .map(({ shown }) => shown);
}

/** Levenshtein distance. Names are at most 255 bytes long. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
