import { pathToFileURL } from "node:url";
import * as z from "zod";
import { type EditorSymbol, EditorSymbols } from "../../../shared/contract/editor-requests.ts";
import type { Tool } from "../../engine/tool.ts";
import { defineTool, rejectOnAbort } from "../define-tool.ts";
import { approvedPlace, pathEffects } from "../workspace/approved-places.ts";
import { locateFile } from "../workspace/locate-file.ts";
import { locateAll, locateAny, type Workspace } from "../workspace/workspace.ts";
import { type AskEditor, askFor } from "./ask-editor.ts";
import { EditorPlaces } from "./editor-places.ts";
import { report } from "./report.ts";

const MAX_ROWS = 300;

const input = z
  .strictObject({
    path: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe("File whose symbols are wanted, relative to the workspace folder."),
    name: z.string().min(1).max(200).optional().describe("Part of the name of a symbol to find in all files."),
  })
  .refine(({ path, name }) => (path === undefined) !== (name === undefined), {
    message: "give either path or name",
  });

/** The functions, classes and other symbols of a file, or those of all files with a name. */
export function symbolsTool(workspace: Workspace, ask: AskEditor): Tool {
  const tool = "symbols";
  return defineTool(workspace, {
    name: tool,
    description:
      "Lists the symbols that the editor knows: functions, classes, variables and so on. With `path`, the outline of one " +
      "file, each symbol with its lines; with `name`, the symbols of all files whose names fit, each with its file and line. " +
      `Give one of the two. Returns at most ${MAX_ROWS}.`,
    readOnly: true,
    input,
    effects: async ({ path }) =>
      path === undefined
        ? pathEffects("search", await locateAll(workspace, undefined))
        : pathEffects("read", [await locateAny(workspace, path)]),
    run: ({ path, name = "" }, context) =>
      rejectOnAbort(tool, context.signal, async () => {
        const places = new EditorPlaces(workspace, context);
        const file =
          path === undefined ? undefined : approvedPlace(await locateFile(workspace, path, context.signal), context);
        const wanted = file === undefined ? { name } : { uri: pathToFileURL(file.path).href };
        const { symbols, more = 0 } = await askFor(tool, ask, EditorSymbols, wanted, context.signal);
        const rows = file === undefined ? await foundRows(symbols, places) : symbols.map(outlineRow);
        const none =
          file === undefined
            ? `The editor knows no symbol like "${name}".`
            : `The editor knows no symbols of "${file.shown}".`;
        return report(rows, { none, max: MAX_ROWS, more, notes: places.notes(), what: "symbol" });
      }),
  });
}

const plain = (text: string): string => text.replaceAll(/\s+/g, " ");

async function foundRows(symbols: readonly EditorSymbol[], places: EditorPlaces): Promise<readonly string[]> {
  const rows: string[] = [];
  for (const symbol of symbols) {
    const place = await places.fileOf(symbol.uri);
    if (place !== undefined) rows.push(foundRow(place.shown, symbol));
  }
  return rows;
}

function outlineRow({ name, kind, range, depth = 0 }: EditorSymbol): string {
  const [first, last] = [range.start.line + 1, range.end.line + 1];
  const lines = first === last ? `line ${first}` : `lines ${first}-${last}`;
  return `${"  ".repeat(Math.min(depth, 20))}${kind} ${plain(name)}: ${lines}`;
}

function foundRow(shown: string, { name, kind, range, container }: EditorSymbol): string {
  const within = container === undefined || container === "" ? "" : ` (in ${plain(container)})`;
  return `${shown}:${range.start.line + 1}: ${kind} ${plain(name)}${within}`;
}
