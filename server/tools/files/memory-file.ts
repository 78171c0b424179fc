import { withOpenFile } from "../workspace/open-file.ts";
import { textChunks } from "../workspace/text-chunks.ts";
import { locate, noFolderMessage, type Workspace } from "../workspace/workspace.ts";
import { MAX_TEXT } from "./read-file.ts";

/** Reading is not aborted: its size is bounded, and the caller stops waiting when it is interrupted. */
const NEVER = new AbortController().signal;

/**
 * The text of a file that a participant is always shown (`memory.files`), cut to {@link MAX_TEXT} characters with a note.
 * `approve` is called with the file before it is read; what it throws is thrown.
 * @throws Error when the file does not exist, is not text, may hold secrets, or is outside the workspace, by its name or
 * through a link.
 */
export async function readMemoryFile(
  workspace: Workspace,
  file: string,
  approve: (path: string) => Promise<void> = async () => {},
): Promise<string> {
  if (workspace.roots().length === 0) throw new Error(noFolderMessage("A memory file"));
  const place = await locate(workspace, file);
  if (workspace.files?.secretFile(place.path) !== undefined || workspace.files?.secretFile(file) !== undefined) {
    throw new Error(`"${file}" may hold secrets, and is not shown to a model; name another file.`);
  }
  await approve(place.path);
  let text = "";
  await withOpenFile(place, async (handle) => {
    for await (const piece of textChunks(handle, file, NEVER)) {
      text += piece;
      if (text.length > MAX_TEXT) break;
    }
  });
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}\n[The file is longer; the rest is left out.]` : text;
}
