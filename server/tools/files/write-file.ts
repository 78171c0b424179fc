import * as z from "zod";
import type { Tool } from "../../engine/tool.ts";
import { defineTool } from "../define-tool.ts";
import { MAX_BYTES } from "../edits/disk-file.ts";
import { changeReport, unsavedNote } from "../edits/edit-report.ts";
import type { FileEditor, RewrittenFile } from "../edits/file-editor.ts";
import { decodedText, previewOf, rewriteText } from "../edits/text-change.ts";
import { lineCount } from "../text/change-text.ts";
import { lineEndingOf, withLineEnding } from "../text/line-endings.ts";
import { plainText } from "../text/text-input.ts";
import type { Workspace } from "../workspace/workspace.ts";

const input = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(4096)
    .refine((path) => !/[\\/]$/.test(path), { message: "a path that ends with a slash names a folder; name a file" })
    .describe("The file, relative to the workspace. Folders that are not there are made."),
  content: plainText(MAX_BYTES).describe("The whole content of the file."),
  create: z
    .boolean()
    .optional()
    .describe(
      "True to make a new file and never replace one; false to replace one and never make one; either if left out.",
    ),
});
type Input = z.output<typeof input>;

/** Lets a model write a whole text file, once the user has approved it. */
export function writeFileTool(workspace: Workspace, editor: FileEditor): Tool {
  return defineTool(workspace, {
    name: "writeFile",
    description:
      "Writes a whole text file of the workspace: makes it, or replaces all that it holds. To change a part of a file use " +
      "editFile. A file that is there keeps its encoding and its line ends. The user is asked to approve.",
    approval: "ask",
    input,
    async run(wanted, context) {
      const done = await rewriteText(editor, wanted.path, (text, shown) => contentFor(wanted, text, shown), context);
      context.output(changeReport(done));
      return `${summaryOf(done)}${unsavedNote(done)}`;
    },
    preview: async (wanted) =>
      previewOf(await editor.read(wanted.path), (text, shown) => contentFor(wanted, text, shown)),
  });
}

/** The content with the line ends of the text that it replaces; a new file has them as they are given. */
function contentFor({ content, create }: Input, text: string | null, shown: string): string {
  if (text === null && create === false)
    throw new Error(`There is no file "${shown}"; leave \`create\` out to make it.`);
  if (text !== null && create === true) {
    throw new Error(`"${shown}" is there already; change it with editFile, or leave \`create\` out to replace it.`);
  }
  return text?.includes("\n") ? withLineEnding(content, lineEndingOf(text)) : content;
}

function summaryOf({ place, before, after }: RewrittenFile): string {
  const [old, fresh] = [decodedText(before, place.shown), decodedText(after, place.shown)];
  if (old === fresh) return `"${place.shown}" held this already; nothing was changed.`;
  if (old === null) return `Made "${place.shown}" with ${linesIn(fresh)}.`;
  return `Replaced all of "${place.shown}": ${linesIn(fresh)} in the place of ${linesIn(old)}.`;
}

function linesIn(text: string | null): string {
  const count = lineCount(text ?? "");
  return count === 1 ? "1 line" : `${count} lines`;
}
