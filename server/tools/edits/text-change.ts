import type { ToolContext } from "../../engine/tool.ts";
import { decodeText, encodeText, encodingForNew } from "../text/text-encoding.ts";
import { approvedPlace } from "../workspace/approved-places.ts";
import type { FileEditor, FileState, RewrittenFile } from "./file-editor.ts";

/** What a call would change: `before` is null for a new file. */
export interface EditPreview {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/** Makes a file's new text from its current text, null for a new file. `shown` names the file in errors. */
export type TextChange = (text: string | null, shown: string) => string;

/**
 * Changes the text of a file and keeps its encoding.
 * @throws what {@link FileEditor.rewrite} throws, and Error for a file other than the approved one.
 */
export function rewriteText(
  editor: FileEditor,
  path: string,
  change: TextChange,
  context: ToolContext,
): Promise<RewrittenFile> {
  return editor.rewrite(
    path,
    (file) => {
      approvedPlace(file.place, context);
      return changedBytes(file, change);
    },
    (edit) => editor.log.plan(context, edit),
    context.signal,
  );
}

/** What a change would do to a file. */
export function previewOf(file: FileState, change: TextChange): EditPreview {
  const path = file.place.shown;
  return { path, before: decodedText(file.bytes, path), after: decodeText(changedBytes(file, change), path).text };
}

/** The text of a file's content; null when the file does not exist. */
export function decodedText(bytes: Buffer | null, shown: string): string | null {
  return bytes === null ? null : decodeText(bytes, shown).text;
}

function changedBytes({ bytes, place }: FileState, change: TextChange): Buffer {
  if (bytes === null) {
    const text = change(null, place.shown);
    return encodeText({ text, encoding: encodingForNew(text) });
  }
  const { text, encoding } = decodeText(bytes, place.shown);
  return encodeText({ text: change(text, place.shown), encoding });
}
