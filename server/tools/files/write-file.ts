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
import { pathEffects } from "../workspace/approved-places.ts";
import type { Workspace } from "../workspace/workspace.ts";

const input = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(4096)
    .refine((path) => !/[\\/]$/.test(path), {
      message: "a path that ends with a slash is a folder; give the path of a file",
    })
    .describe("Path of the file, relative to the workspace folder. Missing folders are created."),
  content: plainText(MAX_BYTES).describe("Complete content of the file."),
  create: z
    .boolean()
    .optional()
    .describe(
      "true: create a new file, and fail if it exists. false: replace an existing file, and fail if it does not exist. " +
        "Default: create or replace.",
    ),
});
type Input = z.output<typeof input>;

/** Writes a whole text file once the user has approved it. */
export function writeFileTool(workspace: Workspace, editor: FileEditor): Tool {
  return defineTool(workspace, {
    name: "writeFile",
    description:
      "Writes a whole text file in the workspace: creates it, or replaces its entire content. To change a part of an existing " +
      "file, use editFile instead. An existing file keeps its encoding and line endings. The user is asked to approve the change.",
    approval: "ask",
    input,
    effects: async ({ path }) => pathEffects("write", [await editor.locate(path)]),
    async run(wanted, context) {
      const done = await rewriteText(editor, wanted.path, (text, shown) => contentFor(wanted, text, shown), context);
      context.output(changeReport(done));
      return `${summaryOf(done)}${unsavedNote(done)}`;
    },
    preview: async (wanted) =>
      previewOf(await editor.read(wanted.path), (text, shown) => contentFor(wanted, text, shown)),
  });
}

/** The content with the line endings of the text that it replaces; a new file keeps those of the content. */
function contentFor({ content, create }: Input, text: string | null, shown: string): string {
  if (text === null && create === false) throw new Error(`There is no file "${shown}"; omit \`create\` to create it.`);
  if (text !== null && create === true) {
    throw new Error(`"${shown}" already exists; change it with editFile, or omit \`create\` to replace it.`);
  }
  return text?.includes("\n") ? withLineEnding(content, lineEndingOf(text)) : content;
}

function summaryOf({ place, before, after }: RewrittenFile): string {
  const [old, fresh] = [decodedText(before, place.shown), decodedText(after, place.shown)];
  if (old === fresh) return `"${place.shown}" already has this content; nothing was changed.`;
  if (old === null) return `Created "${place.shown}" with ${linesIn(fresh)}.`;
  return `Replaced the content of "${place.shown}": ${linesIn(fresh)} instead of ${linesIn(old)}.`;
}

function linesIn(text: string | null): string {
  const count = lineCount(text ?? "");
  return count === 1 ? "1 line" : `${count} lines`;
}
