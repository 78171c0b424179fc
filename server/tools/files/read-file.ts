import * as z from "zod";
import type { Tool } from "../../engine/tool.ts";
import { defineTool, untilAborted } from "../define-tool.ts";
import { locateFile } from "../workspace/locate-file.ts";
import { withFile } from "../workspace/open-file.ts";
import { textChunks } from "../workspace/text-chunks.ts";
import type { Place, Workspace } from "../workspace/workspace.ts";
import { LineCollector, type LineRange } from "./line-collector.ts";

export const MAX_LINES = 2000;
/** In characters, which for source code are bytes nearly everywhere. */
export const MAX_TEXT = 100 * 1024;

const input = z.strictObject({
  path: z.string().min(1).max(4096).describe("The file, relative to the workspace."),
  from: z.number().int().min(1).max(1e9).optional().describe("The first line to read; lines count from 1."),
  to: z.number().int().min(1).max(1e9).optional().describe("The last line to read."),
});

/** Gives a model the plain text of one file of the workspace, or of some of its lines. */
export function readFileTool(workspace: Workspace): Tool {
  const name = "readFile";
  return defineTool(workspace, {
    name,
    description:
      `Reads a text file of the workspace, as plain text without line numbers. At most ${MAX_LINES} lines or ` +
      `${MAX_TEXT / 1024} KB come at once; a note at the end then says how to read on.`,
    readOnly: true,
    input,
    run: ({ path, from = 1, to }, { signal }) =>
      untilAborted(name, signal, async () => {
        if (to !== undefined && to < from)
          throw new Error(`Line ${to} comes before line ${from}; give a \`to\` of at least ${from}.`);
        const place = await locateFile(workspace, path, signal);
        return readRange(place, from, Math.min(to ?? Number.POSITIVE_INFINITY, from + MAX_LINES - 1), to, signal);
      }),
  });
}

async function readRange(
  place: Place,
  from: number,
  last: number,
  asked: number | undefined,
  signal: AbortSignal,
): Promise<string> {
  const lines = new LineCollector({ from, to: last, maxLength: MAX_TEXT });
  await withFile(place, async (handle) => {
    for await (const piece of textChunks(handle, place.shown, signal)) {
      if (!lines.push(piece)) break;
    }
  });
  const range = lines.end();
  if (range.last >= from) return withNote(range, asked);
  if (lines.lineCount === 0) return "[The file is empty.]";
  throw new Error(`"${place.shown}" has ${lines.lineCount} lines; there is no line ${from}.`);
}

/** Says what was left out, unless it is what the caller did not ask for. */
function withNote({ text, first, last, more, cut }: LineRange, asked: number | undefined): string {
  if (!more || (last === asked && !cut)) return text;
  const what = cut
    ? `Line ${last} is longer than ${MAX_TEXT / 1024} KB; its end is left out.`
    : `Lines ${first} to ${last} of more.`;
  return `${text}${text.endsWith("\n") ? "" : "\n"}[${what} Read on with from: ${last + 1}.]`;
}
