import { stat } from "node:fs/promises";
import * as z from "zod";
import type { Tool } from "../../engine/tool.ts";
import { defineTool, rejectOnAbort } from "../define-tool.ts";
import { approvedPlace, pathEffects } from "../workspace/approved-places.ts";
import { LeftOutFiles } from "../workspace/left-out.ts";
import { type Entry, walk } from "../workspace/walk.ts";
import { locateAll, type Workspace, type WorkspacePath } from "../workspace/workspace.ts";
import { pathFilter } from "./path-filter.ts";

export const MAX_LISTED = 1000;
/** A walk stops here, so that opening a home folder by mistake does not read all of it. */
const MAX_VISITED = 100_000;

const input = z.strictObject({
  path: z
    .string()
    .max(4096)
    .optional()
    .describe("Folder to list, relative to the workspace folder. Default: the whole workspace."),
  glob: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Only list paths that match, for example "*.ts" (at any depth) or "src/**/*.test.ts".'),
  depth: z
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe("How many levels of folders to descend; 1 lists only the folder itself. Default: all."),
});

/** Lists the files and folders of the workspace. */
export function listFilesTool(workspace: Workspace): Tool {
  const name = "listFiles";
  return defineTool(workspace, {
    name,
    description:
      "Lists files and folders in the workspace, one per line and sorted; folders end with a slash. " +
      "Skips .git, node_modules and everything that .gitignore excludes. " +
      `Returns at most ${MAX_LISTED} entries, keeping the least deeply nested, and says how many were left out. ` +
      "Use it to find files by name; use searchText to find them by content.",
    readOnly: true,
    input,
    effects: async ({ path }) => pathEffects("search", await locateAll(workspace, path)),
    run: ({ path, glob, depth }, context) =>
      rejectOnAbort(name, context.signal, async () => {
        const { signal } = context;
        const places = (await locateAll(workspace, path)).map((place) => approvedPlace(place, context));
        const listing: Listing = { rows: [], visited: 0, leftOut: new LeftOutFiles(context) };
        const options = { glob, depth, signal, isOwn: (at: string) => workspace.files?.isOwn(at) === true };
        for (const place of places) await list(place, options, listing, places.length > 1);
        return listingText(listing, glob);
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
  readonly leftOut: LeftOutFiles;
}

interface ListOptions {
  readonly glob: string | undefined;
  readonly depth: number | undefined;
  readonly signal: AbortSignal;
  readonly isOwn: (path: string) => boolean;
}

async function list(
  place: WorkspacePath,
  { glob, depth, signal, isOwn }: ListOptions,
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
    if (!wanted(entry) || isOwn(entry.path) || (await listing.leftOut.has(place, entry))) continue;
    listing.rows.push({ text: rowOf(entry), depth: entry.depth });
  }
}

const rowOf = ({ shown, kind }: Entry): string => (kind === "folder" ? `${shown}/` : shown);

function listingText({ rows, visited, leftOut }: Listing, glob: string | undefined): string {
  const note = leftOut.note();
  const notes = note === undefined ? [] : [`[${note}]`];
  if (rows.length === 0) {
    return [...notes, glob === undefined ? "[The folder is empty.]" : `[No path matches ${glob}.]`].join("\n");
  }
  // In a workspace that is too large to show, the least deeply nested entries say most. The sort is stable.
  const kept = new Set(rows.toSorted((a, b) => a.depth - b.depth).slice(0, MAX_LISTED));
  const text = rows.filter((row) => kept.has(row)).map((row) => row.text);
  const left = rows.length - kept.size;
  if (left > 0 || visited > MAX_VISITED) {
    const count = visited > MAX_VISITED ? `more than ${left}` : left;
    text.push(`[${count} more left out; narrow the listing with path, glob or depth.]`);
  }
  return [...text, ...notes].join("\n");
}
