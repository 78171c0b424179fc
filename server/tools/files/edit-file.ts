import * as z from "zod";
import type { Tool } from "../../engine/tool.ts";
import { defineTool } from "../define-tool.ts";
import { MAX_BYTES } from "../edits/disk-file.ts";
import { changeReport, unsavedNote } from "../edits/edit-report.ts";
import type { FileEditor } from "../edits/file-editor.ts";
import { previewOf, rewriteText } from "../edits/text-change.ts";
import { nearestLines } from "../text/nearest-lines.ts";
import { type Replaced, replaceText, standsOnce } from "../text/replace-text.ts";
import { plainText } from "../text/text-input.ts";
import { locateFile } from "../workspace/locate-file.ts";
import type { Workspace } from "../workspace/workspace.ts";

const MAX_NAMED_LINES = 10;

const input = z.strictObject({
  path: z.string().min(1).max(4096).describe("The file, relative to the workspace."),
  old: plainText(MAX_BYTES)
    .min(1, "give the text to replace; a new file is made with writeFile")
    .describe("The text to replace, exactly as it stands in the file, white space included."),
  new: plainText(MAX_BYTES).describe("The text to put in its place; empty to take it out."),
  all: z.boolean().optional().describe("True to replace it wherever it stands; else it must stand there once."),
});
type Input = z.output<typeof input>;

/** Lets a model replace an exact piece of a file's text, once the user has approved it. */
export function editFileTool(workspace: Workspace, editor: FileEditor): Tool {
  return defineTool(workspace, {
    name: "editFile",
    description:
      "Replaces a piece of a text file of the workspace. `old` must stand in the file exactly once, so give enough of the " +
      "lines around it, or set `all`. Line ends need not match: those of the file are kept. The user is asked to approve.",
    approval: "ask",
    input,
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
      return `Replaced ${placesAt(lines)} of "${done.place.shown}".${unsavedNote(done)}`;
    },
    async preview(wanted) {
      const { path } = await locateFile(workspace, wanted.path, new AbortController().signal);
      return previewOf(await editor.read(path), (text, shown) => replacement(wanted, text ?? "", shown).text);
    },
  });
}

function replacement({ old, new: fresh, all = false }: Input, text: string, shown: string): Replaced {
  if (old === fresh) throw new Error("`old` and `new` are the same, so there is nothing to change.");
  const replaced = replaceText(text, old, fresh);
  const { lines } = replaced;
  if (lines.length === 0) throw new Error(notThere(text, old, shown));
  if (!all && !standsOnce(text, old)) {
    throw new Error(
      `\`old\` stands in "${shown}" more than once, at ${linesAt(lines)}; give more lines, or set \`all\`.`,
    );
  }
  if (replaced.text === text) throw new Error(`"${shown}" would stay as it is; line ends are not changed.`);
  return replaced;
}

function notThere(text: string, old: string, shown: string): string {
  const sentence = `\`old\` does not stand in "${shown}" as it is written`;
  const near = nearestLines(text, old);
  if (near === undefined) return `${sentence}, nor anything like it; read the file again with readFile.`;
  const where = near.from === near.to ? `line ${near.from} is` : `lines ${near.from} to ${near.to} are`;
  return `${sentence}; ${where} most like it:\n${near.text}`;
}

const placesAt = (lines: readonly number[]): string =>
  `${lines.length === 1 ? "1 place" : `${lines.length} places`} at ${linesAt(lines)}`;

function linesAt(lines: readonly number[]): string {
  const named = [...new Set(lines)];
  const more = named.length > MAX_NAMED_LINES ? " and more" : "";
  return `line${named.length === 1 ? "" : "s"} ${named.slice(0, MAX_NAMED_LINES).join(", ")}${more}`;
}
