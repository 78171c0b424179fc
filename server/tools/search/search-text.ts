import { stat } from "node:fs/promises";
import * as z from "zod";
import type { Tool } from "../../engine/tool.ts";
import { defineTool, untilAborted } from "../define-tool.ts";
import { withFile } from "../workspace/open-file.ts";
import { textChunks } from "../workspace/text-chunks.ts";
import { walk } from "../workspace/walk.ts";
import { locateAll, type Place, type Workspace } from "../workspace/workspace.ts";
import { LineMatcher } from "./line-matcher.ts";
import { pathFilter } from "./path-filter.ts";

export const MAX_ROWS = 200;
const ROW_WIDTH = 240;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_FILES = 20_000;

const input = z.strictObject({
  text: z.string().min(1).max(1000).describe("What to look for, within a line."),
  regex: z.boolean().optional().describe("Take the text as a JavaScript regular expression."),
  path: z.string().max(4096).optional().describe("A folder or file to search; all of the workspace if left out."),
  glob: z.string().min(1).max(500).optional().describe('Only files such as "*.ts" or "src/**/*.test.ts".'),
  caseSensitive: z.boolean().optional().describe("Tell capitals from small letters; not done if left out."),
});

/** Finds lines in the files of the workspace for a model. */
export function searchTextTool(workspace: Workspace): Tool {
  const name = "searchText";
  return defineTool(workspace, {
    name,
    description:
      "Searches the text files of the workspace, line by line. Gives rows of `file:line: text`, " +
      `at most ${MAX_ROWS}. Leaves out .git, node_modules, what .gitignore names, binary files and files over 1 MB.`,
    readOnly: true,
    input,
    run: ({ text, regex = false, path, glob, caseSensitive = false }, { signal }) =>
      untilAborted(name, signal, async () => {
        const pattern = patternOf(text, regex, caseSensitive);
        const places = await locateAll(workspace, path);
        const matcher = new LineMatcher(pattern);
        try {
          const search = new Search(matcher, signal);
          await search.files(places, glob);
          return search.report(text);
        } finally {
          await matcher.dispose();
        }
      }),
  });
}

/** With `u` where the text allows it, for `\p{…}` and code points; older expressions hold escapes that only its absence allows. */
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
      throw new Error(`The text is not a regular expression (${cause}); mend it, or leave \`regex\` out.`);
    }
  }
}

async function* filesAt(place: Place, glob: string | undefined, signal: AbortSignal): AsyncGenerator<Place, void> {
  if (!(await stat(place.path)).isDirectory()) {
    yield place;
    return;
  }
  const wanted = pathFilter(glob);
  for await (const entry of walk(place, signal)) {
    if (entry.kind === "file" && wanted(entry)) yield entry;
  }
}

/** One search: its rows so far, and what it passed over. */
class Search {
  readonly #matcher: LineMatcher;
  readonly #signal: AbortSignal;
  readonly #rows: string[] = [];
  #files = 0;
  #tooBig = 0;

  constructor(matcher: LineMatcher, signal: AbortSignal) {
    this.#matcher = matcher;
    this.#signal = signal;
  }

  async files(places: readonly Place[], glob: string | undefined): Promise<void> {
    for (const place of places) {
      for await (const file of filesAt(place, glob, this.#signal)) {
        if (!(await this.#file(file))) return;
      }
    }
  }

  /** Searches one file. Returns false when enough has been found or read. */
  async #file(place: Place): Promise<boolean> {
    if (this.#files >= MAX_FILES) return false;
    this.#files++;
    const text = await this.#textOf(place);
    if (text !== undefined) {
      // One more than is shown tells that there are more.
      const limit = MAX_ROWS + 1 - this.#rows.length;
      const found = await this.#find(place, text, limit);
      for (const { line, text: row } of found) this.#rows.push(`${place.shown}:${line}: ${row}`);
    }
    return this.#rows.length <= MAX_ROWS;
  }

  async #find(place: Place, text: string, limit: number) {
    try {
      return await this.#matcher.find(text, { limit, width: ROW_WIDTH, signal: this.#signal });
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      throw new Error(`The search stopped at ${place.shown}: ${cause}.`);
    }
  }

  /** The text of a file, or undefined for one that is too big, binary, or can not be read. */
  async #textOf(place: Place): Promise<string | undefined> {
    try {
      return await withFile(place, async (handle) => {
        if ((await handle.stat()).size > MAX_FILE_BYTES) {
          this.#tooBig++;
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
    if (this.#rows.length === 0) notes.push(`No line of ${this.#files} files has ${JSON.stringify(text)}.`);
    if (this.#rows.length > MAX_ROWS)
      notes.push(`More than ${MAX_ROWS} lines match; narrow it with path, glob or text.`);
    if (this.#files >= MAX_FILES)
      notes.push(`Only the first ${MAX_FILES} files were searched; narrow it with path or glob.`);
    if (this.#tooBig > 0) notes.push(`${this.#tooBig} files over 1 MB were left out.`);
    return [...this.#rows.slice(0, MAX_ROWS), ...notes.map((note) => `[${note}]`)].join("\n");
  }
}
