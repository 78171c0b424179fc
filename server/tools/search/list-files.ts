import { stat } from "node:fs/promises";
import * as z from "zod";
import type { Tool } from "../../engine/tool.ts";
import { defineTool, untilAborted } from "../define-tool.ts";
import { type Entry, walk } from "../workspace/walk.ts";
import { locateAll, type Place, type Workspace } from "../workspace/workspace.ts";
import { pathFilter } from "./path-filter.ts";

export const MAX_LISTED = 1000;
/** A walk ends here, so that a home folder opened by mistake is not read to its end. */
const MAX_VISITED = 100_000;

const input = z.strictObject({
  path: z.string().max(4096).optional().describe("The folder, relative to the workspace; all of it if left out."),
  glob: z.string().min(1).max(500).optional().describe('Such as "*.ts" (at any depth) or "src/**/*.test.ts".'),
  depth: z
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe("How many levels of folders to go down; 1 is the folder alone."),
});

/** Shows a model what the workspace holds. */
export function listFilesTool(workspace: Workspace): Tool {
  const name = "listFiles";
  return defineTool(workspace, {
    name,
    description:
      "Lists the files and folders of the workspace, sorted, one on a line, folders with a trailing slash. " +
      "Leaves out .git, node_modules and what .gitignore names. " +
      `At most ${MAX_LISTED} come, the least deep first, with a count of what was left out.`,
    readOnly: true,
    input,
    run: ({ path, glob, depth }, { signal }) =>
      untilAborted(name, signal, async () => {
        const places = await locateAll(workspace, path);
        const listing: Listing = { rows: [], visited: 0 };
        for (const place of places) await list(place, { glob, depth, signal }, listing, places.length > 1);
        return textOf(listing, glob);
      }),
  });
}

interface Row {
  readonly text: string;
  readonly depth: number;
}

interface Listing {
  readonly rows: Row[];
  visited: number;
}

interface ListOptions {
  readonly glob: string | undefined;
  readonly depth: number | undefined;
  readonly signal: AbortSignal;
}

async function list(
  place: Place,
  { glob, depth, signal }: ListOptions,
  listing: Listing,
  isOneOfSeveral: boolean,
): Promise<void> {
  if (!(await stat(place.path)).isDirectory()) {
    listing.rows.push({ text: place.shown, depth: 1 });
    return;
  }
  const wanted = pathFilter(glob);
  if (isOneOfSeveral && glob === undefined) listing.rows.push({ text: `${place.shown}/`, depth: 0 });
  for await (const entry of walk(place, signal, depth)) {
    if (++listing.visited > MAX_VISITED) return;
    if (wanted(entry)) listing.rows.push({ text: rowOf(entry), depth: entry.depth });
  }
}

const rowOf = ({ shown, kind }: Entry): string => (kind === "folder" ? `${shown}/` : shown);

function textOf({ rows, visited }: Listing, glob: string | undefined): string {
  if (rows.length === 0) return glob === undefined ? "[The folder is empty.]" : `[Nothing here matches ${glob}.]`;
  // The least deep say most about a workspace that is too large to show; the sort is stable, so each depth keeps its order.
  const kept = new Set(rows.toSorted((a, b) => a.depth - b.depth).slice(0, MAX_LISTED));
  const text = rows.filter((row) => kept.has(row)).map((row) => row.text);
  const left = rows.length - kept.size;
  if (left > 0 || visited > MAX_VISITED) {
    const count = visited > MAX_VISITED ? `more than ${left}` : left;
    text.push(`[${count} more left out; narrow it with path, glob or depth.]`);
  }
  return text.join("\n");
}
