import { pathToFileURL } from "node:url";
import * as z from "zod";
import { type EditorPlace, EditorPlaces as EditorPlacesRequest } from "../../../shared/contract/editor-requests.ts";
import type { Tool, ToolContext } from "../../engine/tool.ts";
import { defineTool, rejectOnAbort } from "../define-tool.ts";
import type { FileEditor } from "../edits/file-editor.ts";
import { decodedText } from "../edits/text-change.ts";
import { approvedPlace, pathEffects } from "../workspace/approved-places.ts";
import { locateFile } from "../workspace/locate-file.ts";
import { locateAny, type Workspace } from "../workspace/workspace.ts";
import { type AskEditor, askFor } from "./ask-editor.ts";
import { EditorPlaces } from "./editor-places.ts";
import { type NamedSymbol, positionOf } from "./named-symbol.ts";
import { report } from "./report.ts";
import { ShownLines } from "./shown-lines.ts";

const MAX_ROWS = 200;

/** How a model names a symbol of a file. */
export const symbolInput = z.strictObject({
  path: z.string().min(1).max(4096).describe("File that has the symbol, relative to the workspace folder."),
  symbol: z.string().min(1).max(500).describe("Name of the symbol, as it is in the file, without its arguments."),
  line: z
    .number()
    .int()
    .min(1)
    .max(1e9)
    .optional()
    .describe("Line of the file with the symbol, counted from 1. Default: the first line that has the name."),
});

/** Where a symbol is used. */
export function referencesTool(workspace: Workspace, editor: FileEditor, ask: AskEditor): Tool {
  return placesTool(workspace, editor, ask, {
    name: "references",
    of: "references",
    description:
      "Finds everywhere that a symbol is used, its definition included, by the editor's language support: unlike a search " +
      "of texts, it tells symbols of the same name apart. Name the symbol by its file, its name and a line that has it. " +
      `Returns \`file:line: text of the line\`, at most ${MAX_ROWS}.`,
    none: (symbol) => `The editor knows no references to "${symbol}".`,
  });
}

/** Where a symbol is defined. */
export function definitionTool(workspace: Workspace, editor: FileEditor, ask: AskEditor): Tool {
  return placesTool(workspace, editor, ask, {
    name: "definition",
    of: "definition",
    description:
      "Finds where a symbol is defined, by the editor's language support. Name the symbol by its file, its name and a line " +
      "that has it. Returns `file:line: text of the line`.",
    none: (symbol) => `The editor knows no definition of "${symbol}".`,
  });
}

interface PlacesToolParts {
  readonly name: string;
  readonly of: "references" | "definition";
  readonly description: string;
  readonly none: (symbol: string) => string;
}

function placesTool(workspace: Workspace, editor: FileEditor, ask: AskEditor, parts: PlacesToolParts): Tool {
  const { name, of, description, none } = parts;
  return defineTool(workspace, {
    name,
    description,
    readOnly: true,
    input: symbolInput,
    effects: async ({ path }) => pathEffects("read", [await locateAny(workspace, path)]),
    run: (wanted, context) =>
      rejectOnAbort(name, context.signal, async () => {
        const at = await locatedSymbol(workspace, editor, wanted, context);
        const { places, more = 0 } = await askFor(name, ask, EditorPlacesRequest, { ...at, of }, context.signal);
        const shown = new EditorPlaces(workspace, context);
        const rows = await rowsOf(places, shown, new ShownLines(editor, context.signal));
        return report(rows, { none: none(wanted.symbol), max: MAX_ROWS, more, notes: shown.notes(), what: "place" });
      }),
  });
}

/** The URI and the position of a symbol in a file that was approved. @throws Error that says where the name is. */
export async function locatedSymbol(
  workspace: Workspace,
  editor: FileEditor,
  { path, ...named }: NamedSymbol & { readonly path: string },
  context: Pick<ToolContext, "signal" | "effects">,
) {
  const file = approvedPlace(await locateFile(workspace, path, context.signal), context);
  const { bytes } = await editor.read({ path: file.path, shown: file.shown });
  const position = positionOf(decodedText(bytes, file.shown) ?? "", named, file.shown);
  return { uri: pathToFileURL(file.path).href, position };
}

/** Each line with a place once, in the order of files and lines. */
async function rowsOf(
  places: readonly EditorPlace[],
  shown: EditorPlaces,
  lines: ShownLines,
): Promise<readonly string[]> {
  const rows = new Map<string, string>();
  for (const { uri, range } of places.toSorted(byPlace)) {
    const file = await shown.fileOf(uri);
    const key = `${file?.path}:${range.start.line}`;
    if (file === undefined || rows.has(key)) continue;
    const text = rows.size < MAX_ROWS ? await lines.of(file, range.start.line) : "";
    rows.set(key, `${file.shown}:${range.start.line + 1}: ${text}`);
  }
  return [...rows.values()];
}

const byPlace = (a: EditorPlace, b: EditorPlace): number =>
  a.uri === b.uri ? a.range.start.line - b.range.start.line : a.uri < b.uri ? -1 : 1;
