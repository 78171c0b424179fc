import type { FileHandle } from "node:fs/promises";
import * as z from "zod";
import { HEAD_BYTES, imageType } from "../../../shared/image-type.ts";
import type { OutputWithImages } from "../../../shared/tool-output.ts";
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

/** The largest image that is read, in bytes: as a data URI, what every provider accepts. */
const MAX_IMAGE = 3.5 * 1024 * 1024;

/** Reads a text file of the workspace, or some of its lines, or an image. */
export function readFileTool(workspace: Workspace): Tool {
  const name = "readFile";
  return defineTool(workspace, {
    name,
    description:
      "Reads a text file in the workspace and returns its content as plain text, without line numbers, or shows you an " +
      "image (PNG, JPEG, GIF or WebP). " +
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
        return withOpenFile(place, async (handle) => {
          const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
          const image = imageType(buffer.subarray(0, bytesRead));
          if (image !== undefined) return readImage(handle, place, image);
          return readRange(handle, place, from, last, to, context.signal);
        });
      }),
  });
}

async function readImage(handle: FileHandle, { shown }: WorkspacePath, type: string): Promise<OutputWithImages> {
  const { size } = await handle.stat();
  if (size > MAX_IMAGE) {
    const most = `${MAX_IMAGE / 1024 / 1024} MB`;
    throw new Error(
      `The image "${shown}" is larger than ${most}; scale it down with a command, and read the smaller one.`,
    );
  }
  const bytes = Buffer.alloc(size);
  const { bytesRead } = await handle.read(bytes, 0, size, 0);
  const uri = `data:${type};base64,${bytes.toString("base64", 0, bytesRead)}`;
  return {
    content: [
      { type: "text", text: `The image "${shown}", ${Math.ceil(size / 1024)} KB:` },
      { type: "image", uri, mimeType: type },
    ],
  };
}

async function readRange(
  handle: FileHandle,
  place: WorkspacePath,
  from: number,
  last: number,
  asked: number | undefined,
  signal: AbortSignal,
): Promise<string> {
  const lines = new LineCollector({ from, to: last, maxLength: MAX_TEXT });
  for await (const piece of textChunks(handle, place.shown, signal)) {
    if (!lines.push(piece)) break;
  }
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
