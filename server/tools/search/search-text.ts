import { stat } from "node:fs/promises";
import * as z from "zod";
import type { SensitiveFiles } from "../../engine/sensitive/sensitive-files.ts";
import type { Tool, ToolContext } from "../../engine/tool.ts";
import { defineTool, rejectOnAbort } from "../define-tool.ts";
import { approvedPlace, pathEffects } from "../workspace/approved-places.ts";
import { LeftOutFiles } from "../workspace/left-out.ts";
import { withOpenFile } from "../workspace/open-file.ts";
import { textChunks } from "../workspace/text-chunks.ts";
import { walk } from "../workspace/walk.ts";
import { locateAll, type Workspace, type WorkspacePath } from "../workspace/workspace.ts";
import { LineMatcher } from "./line-matcher.ts";
import { pathFilter } from "./path-filter.ts";

export const MAX_ROWS = 200;
const ROW_WIDTH = 240;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FILES = 20_000;

const input = z.strictObject({
  text: z.string().min(1).max(1000).describe("Text to find within a line."),
  regex: z.boolean().optional().describe("Treat `text` as a JavaScript regular expression. Default: false."),
  path: z
    .string()
    .max(4096)
    .optional()
    .describe("Folder or file to search, relative to the workspace folder. Default: the whole workspace."),
  glob: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Only search files that match, for example "*.ts" (at any depth) or "src/**/*.test.ts".'),
  caseSensitive: z.boolean().optional().describe("Distinguish upper and lower case. Default: false."),
});

/** Finds lines in the text files of the workspace. */
export function searchTextTool(workspace: Workspace): Tool {
  const name = "searchText";
  return defineTool(workspace, {
    name,
    description:
      "Searches the text files in the workspace line by line and returns matching lines as `file:line: text`, at most " +
      `${MAX_ROWS}. Skips .git, node_modules, everything that .gitignore excludes, files that may hold secrets, binary files and files over 1 MB. ` +
      "Prefer it to running a search command: it needs no approval.",
    readOnly: true,
    input,
    effects: async ({ path }) => pathEffects("search", await locateAll(workspace, path)),
    run: ({ text, regex = false, path, glob, caseSensitive = false }, context) =>
      rejectOnAbort(name, context.signal, async () => {
        const pattern = patternOf(text, regex, caseSensitive);
        const places = (await locateAll(workspace, path)).map((place) => approvedPlace(place, context));
        const matcher = new LineMatcher(pattern);
        try {
          const search = new Search(matcher, context, workspace.files);
          await search.files(places, glob);
          return search.report(text);
        } finally {
          await matcher.dispose();
        }
      }),
  });
}

/** With the `u` flag where the expression allows it, for `\p{…}` and code points; some escapes are valid only without it. */
function patternOf(text: string, isRegex: boolean, caseSensitive: boolean): RegExp {
  const source = isRegex ? text : text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const flags = caseSensitive ? "" : "i";
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    try {
      return new RegExp(source, flags);
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      throw new Error(`The text is not a valid regular expression (${cause}); correct it, or omit \`regex\`.`);
    }
  }
}

async function* filesAt(
  place: WorkspacePath,
  glob: string | undefined,
  signal: AbortSignal,
  leftOut: LeftOutFiles,
): AsyncGenerator<WorkspacePath, void> {
  if (!(await stat(place.path)).isDirectory()) {
    yield place;
    return;
  }
  const wanted = pathFilter(glob);
  for await (const entry of walk(place, signal)) {
    if (entry.kind === "file" && wanted(entry) && !(await leftOut.has(place, entry))) yield entry;
  }
}

/** One search: its rows so far and what it skipped. */
class Search {
  readonly #matcher: LineMatcher;
  readonly #signal: AbortSignal;
  readonly #sensitive: SensitiveFiles | undefined;
  readonly #denied: LeftOutFiles;
  readonly #rows: string[] = [];
  readonly #leftOut: string[] = [];
  #files = 0;
  #skippedLarge = 0;

  constructor(matcher: LineMatcher, context: ToolContext, sensitive: SensitiveFiles | undefined) {
    this.#matcher = matcher;
    this.#signal = context.signal;
    this.#sensitive = sensitive;
    this.#denied = new LeftOutFiles(context);
  }

  async files(places: readonly WorkspacePath[], glob: string | undefined): Promise<void> {
    for (const place of places) {
      // A search of a secret file or folder itself was approved.
      const isSecret = (path: string) => this.#sensitive?.secretFile(path) !== undefined;
      const isApproved = isSecret(place.path);
      for await (const file of filesAt(place, glob, this.#signal, this.#denied)) {
        if (this.#sensitive?.isOwn(file.path)) continue;
        if (!isApproved && isSecret(file.path)) this.#leftOut.push(file.shown);
        else if (!(await this.#file(file))) return;
      }
    }
  }

  /** Searches one file. Returns false when a limit is reached. */
  async #file(place: WorkspacePath): Promise<boolean> {
    if (this.#files >= MAX_FILES) return false;
    this.#files++;
    const text = await this.#textOf(place);
    if (text !== undefined) {
      // One row more than is shown, to know whether there are more.
      const limit = MAX_ROWS + 1 - this.#rows.length;
      const found = await this.#find(place, text, limit);
      for (const { line, text: row } of found) this.#rows.push(`${place.shown}:${line}: ${row}`);
    }
    return this.#rows.length <= MAX_ROWS;
  }

  async #find(place: WorkspacePath, text: string, limit: number) {
    try {
      return await this.#matcher.find(text, { limit, width: ROW_WIDTH, signal: this.#signal });
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      throw new Error(`The search stopped at ${place.shown}: ${cause}.`);
    }
  }

  /** The text of a file, or undefined when it is too large, binary or unreadable. */
  async #textOf(place: WorkspacePath): Promise<string | undefined> {
    try {
      return await withOpenFile(place, async (handle) => {
        if ((await handle.stat()).size > MAX_FILE_BYTES) {
          this.#skippedLarge++;
          return undefined;
        }
        let text = "";
        for await (const piece of textChunks(handle, place.shown, this.#signal)) {
          text += piece;
          if (text.length > MAX_FILE_BYTES) break;
        }
        return text;
      });
    } catch {
      this.#signal.throwIfAborted();
      return undefined;
    }
  }

  report(text: string): string {
    const notes: string[] = [];
    if (this.#rows.length === 0) notes.push(`No line in ${this.#files} files matches ${JSON.stringify(text)}.`);
    if (this.#rows.length > MAX_ROWS)
      notes.push(`More than ${MAX_ROWS} lines match; narrow the search with path, glob or text.`);
    if (this.#files >= MAX_FILES)
      notes.push(`Only the first ${MAX_FILES} files were searched; narrow the search with path or glob.`);
    if (this.#leftOut.length > 0) notes.push(leftOutNote(this.#leftOut));
    const denied = this.#denied.note();
    if (denied !== undefined) notes.push(denied);
    if (this.#skippedLarge > 0) notes.push(`${this.#skippedLarge} files over 1 MB were skipped.`);
    return [...this.#rows.slice(0, MAX_ROWS), ...notes.map((note) => `[${note}]`)].join("\n");
  }
}

function leftOutNote([first = "", ...more]: readonly string[]): string {
  const what =
    more.length === 0 ? "1 file that may hold secrets was" : `${more.length + 1} files that may hold secrets were`;
  return `${what} left out: ${first}${more.length === 0 ? "" : ` and ${more.length} more`}. To read one, use readFile, which asks the user.`;
}
