import { createHash } from "node:crypto";
import * as z from "zod";
import type { ToolContext } from "../../engine/tool.ts";
import { decodeText, encodeText, encodingForNew } from "../text/text-encoding.ts";
import { approvedPlace } from "../workspace/approved-places.ts";
import type { FileEditor, FileState, RewrittenFile } from "./file-editor.ts";

/** What a call would change: `before` is null for a new file. */
export interface EditPreview {
  readonly path: string;
  /** The path, absolute and with links resolved. */
  readonly file: string;
  readonly before: string | null;
  readonly after: string;
  /** Of the file, and of its content before and after: an answer that has it makes exactly this change, or none. */
  readonly digest: string;
}

/** The metadata of an answer by a user who was shown a preview. */
const Shown = z.object({ preview: z.string() });

/** Makes a file's new text from its current text, null for a new file. `shown` names the file in errors. */
export type TextChange = (text: string | null, shown: string) => string;

/**
 * Changes the text of a file and keeps its encoding.
 * @throws what {@link FileEditor.rewrite} throws, and Error for a file other than the approved one, or a change other than
 * the one that the user was shown.
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
      const next = changedBytes(file, change);
      assertAsShown(file, next, context);
      return next;
    },
    (edit) => editor.log.plan(context, edit),
    context.signal,
  );
}

/** What a change would do to a file. */
export function previewOf(file: FileState, change: TextChange): EditPreview {
  const path = file.place.shown;
  const next = changedBytes(file, change);
  return {
    path,
    file: file.place.path,
    before: decodedText(file.bytes, path),
    after: decodeText(next, path).text,
    digest: digestOf(file, next),
  };
}

/** The text of a file's content; null when the file does not exist. */
export function decodedText(bytes: Buffer | null, shown: string): string | null {
  return bytes === null ? null : decodeText(bytes, shown).text;
}

/** Whether a change with that digest is the one that the user was shown, or the user was shown none. */
export function isShownChange(digest: string, { metadata }: ToolContext): boolean {
  const shown = Shown.safeParse(metadata);
  return !shown.success || shown.data.preview === digest;
}

/** @throws Error when the user was shown another change than this one. */
function assertAsShown(file: FileState, next: Buffer, context: ToolContext): void {
  if (isShownChange(digestOf(file, next), context) || file.bytes?.equals(next)) return;
  const sentence = `"${file.place.shown}" has changed since the user was shown this edit, so the edit was not made`;
  throw new Error(`${sentence}; read the file again.`);
}

function digestOf({ place, bytes }: FileState, next: Buffer): string {
  const hash = createHash("sha256").update(`${JSON.stringify(place.path)} ${bytes?.length ?? "new"}\n`);
  if (bytes !== null) hash.update(bytes);
  return hash.update(next).digest("hex");
}

/** The content after a change of its text, in the same encoding. @throws what `change` throws, and Error for no text. */
export function changedBytes({ bytes, place }: FileState, change: TextChange): Buffer {
  if (bytes === null) {
    const text = change(null, place.shown);
    return encodeText({ text, encoding: encodingForNew(text) });
  }
  const { text, encoding } = decodeText(bytes, place.shown);
  return encodeText({ text: change(text, place.shown), encoding });
}
