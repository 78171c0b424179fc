import * as z from "zod";
import type { Tool } from "../../engine/tool.ts";
import { defineTool, rejectOnAbort } from "../define-tool.ts";
import { approvedPlace, pathEffects } from "../workspace/approved-places.ts";
import { locateFile } from "../workspace/locate-file.ts";
import { withOpenFile } from "../workspace/open-file.ts";
import { textChunks } from "../workspace/text-chunks.ts";
import { locateAny, type Workspace, type WorkspacePath } from "../workspace/workspace.ts";
import { LineCollector, type LineRange } from "./line-collector.ts";

export const MAX_LINES = 2000;
/** In characters; for source code nearly the same as bytes. */
export const MAX_TEXT = 100 * 1024;

const input = z.strictObject({
  path: z.string().min(1).max(4096).describe("Path of the file, relative to the workspace folder."),
  from: z.number().int().min(1).max(1e9).optional().describe("First line to read, counted from 1. Default: 1."),
  to: z.number().int().min(1).max(1e9).optional().describe("Last line to read. Default: as many lines as fit."),
});

/** Reads a text file of the workspace, or some of its lines. */
export function readFileTool(workspace: Workspace): Tool {
  const name = "readFile";
  return defineTool(workspace, {
    name,
    description:
      "Reads a text file in the workspace and returns its content as plain text, without line numbers. " +
      `Returns at most ${MAX_LINES} lines or ${MAX_TEXT / 1024} KB at a time; if there is more, a note at the end says ` +
      "which line to continue from. Use `from` and `to` to read a part of a large file, and listFiles for folders.",
    readOnly: true,
    input,
    effects: async ({ path }) => pathEffects("read", [await locateAny(workspace, path)]),
    run: ({ path, from = 1, to }, context) =>
      rejectOnAbort(name, context.signal, async () => {
        if (to !== undefined && to < from)
          throw new Error(`Line ${to} comes before line ${from}; set \`to\` to at least ${from}.`);
        const place = approvedPlace(await locateFile(workspace, path, context.signal), context);
        const last = Math.min(to ?? Number.POSITIVE_INFINITY, from + MAX_LINES - 1);
        return readRange(place, from, last, to, context.signal);
      }),
  });
}

async function readRange(
  place: WorkspacePath,
  from: number,
  last: number,
  asked: number | undefined,
  signal: AbortSignal,
): Promise<string> {
  const lines = new LineCollector({ from, to: last, maxLength: MAX_TEXT });
  await withOpenFile(place, async (handle) => {
    for await (const piece of textChunks(handle, place.shown, signal)) {
      if (!lines.push(piece)) break;
    }
  });
  const range = lines.end();
  if (range.last >= from) return withNote(range, asked);
  if (lines.lineCount === 0) return "[The file is empty.]";
  throw new Error(`"${place.shown}" has ${lines.lineCount} lines; there is no line ${from}.`);
}

/** Adds a note about what was left out, unless the caller did not ask for it. */
function withNote({ text, first, last, more, cut }: LineRange, asked: number | undefined): string {
  if (!more || (last === asked && !cut)) return text;
  const what = cut
    ? `Line ${last} is longer than ${MAX_TEXT / 1024} KB; the rest of it is left out.`
    : `Only lines ${first} to ${last} are shown.`;
  return `${text}${text.endsWith("\n") ? "" : "\n"}[${what} Continue with from: ${last + 1}.]`;
}
