import * as z from "zod";
import type { Tool } from "../../engine/tool.ts";
import { defineTool } from "../define-tool.ts";
import { MAX_BYTES } from "../edits/disk-file.ts";
import { changeReport, unsavedNote } from "../edits/edit-report.ts";
import type { FileEditor } from "../edits/file-editor.ts";
import { previewOf, rewriteText } from "../edits/text-change.ts";
import { mostSimilarLines } from "../text/nearest-lines.ts";
import { occursOnce, type ReplacedText, replaceText } from "../text/replace-text.ts";
import { plainText } from "../text/text-input.ts";
import { pathEffects } from "../workspace/approved-places.ts";
import { locateFile } from "../workspace/locate-file.ts";
import type { Workspace } from "../workspace/workspace.ts";

const MAX_NAMED_LINES = 10;

const input = z.strictObject({
  path: z.string().min(1).max(4096).describe("Path of the file, relative to the workspace folder."),
  old: plainText(MAX_BYTES)
    .min(1, "give the text to replace; use writeFile to create a file")
    .describe("Text to replace, exactly as in the file, including white space."),
  new: plainText(MAX_BYTES).describe("Text to replace it with; empty to delete it."),
  all: z.boolean().optional().describe("Replace every occurrence instead of the only one. Default: false."),
});
type Input = z.output<typeof input>;

/** Replaces an exact piece of a file's text once the user has approved it. */
export function editFileTool(workspace: Workspace, editor: FileEditor): Tool {
  return defineTool(workspace, {
    name: "editFile",
    description:
      "Replaces an exact piece of text in a file of the workspace. Read the file first. `old` must match the file exactly, " +
      "including indentation, and occur exactly once: include enough surrounding lines to make it unique, or set `all` to " +
      "replace every occurrence. Line endings need not match; the file keeps its own. The user is asked to approve the change.",
    approval: "ask",
    input,
    effects: async ({ path }) => pathEffects("write", [await editor.locate(path)]),
    async run(wanted, context) {
      const { path } = await locateFile(workspace, wanted.path, context.signal);
      let lines: readonly number[] = [];
      const change = (text: string | null, shown: string): string => {
        const replaced = replacement(wanted, text ?? "", shown);
        lines = replaced.lines;
        return replaced.text;
      };
      const done = await rewriteText(editor, path, change, context);
      context.output(changeReport(done));
      return `Replaced ${occurrencesAt(lines)} in "${done.place.shown}".${unsavedNote(done)}`;
    },
    async preview(wanted) {
      const { path } = await locateFile(workspace, wanted.path, new AbortController().signal);
      return previewOf(await editor.read(path), (text, shown) => replacement(wanted, text ?? "", shown).text);
    },
  });
}

function replacement({ old, new: fresh, all = false }: Input, text: string, shown: string): ReplacedText {
  if (old === fresh) throw new Error("`old` and `new` are the same, so there is nothing to change.");
  const replaced = replaceText(text, old, fresh);
  const { lines } = replaced;
  if (lines.length === 0) throw new Error(notFoundMessage(text, old, shown));
  if (!all && !occursOnce(text, old)) {
    throw new Error(
      `\`old\` occurs more than once in "${shown}", at ${linesAt(lines)}; include more lines to make it unique, or set \`all\`.`,
    );
  }
  if (replaced.text === text) throw new Error(`"${shown}" would not change: editFile keeps the file's line endings.`);
  return replaced;
}

function notFoundMessage(text: string, old: string, shown: string): string {
  const sentence = `\`old\` does not occur in "${shown}"`;
  const near = mostSimilarLines(text, old);
  if (near === undefined) return `${sentence}, nor anything similar; read the file again with readFile.`;
  const where = near.from === near.to ? `line ${near.from} is` : `lines ${near.from} to ${near.to} are`;
  return `${sentence}; ${where} most similar:\n${near.text}`;
}

const occurrencesAt = (lines: readonly number[]): string =>
  `${lines.length === 1 ? "1 occurrence" : `${lines.length} occurrences`} at ${linesAt(lines)}`;

function linesAt(lines: readonly number[]): string {
  const named = [...new Set(lines)];
  const more = named.length > MAX_NAMED_LINES ? " and more" : "";
  return `line${named.length === 1 ? "" : "s"} ${named.slice(0, MAX_NAMED_LINES).join(", ")}${more}`;
}
