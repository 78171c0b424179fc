import { withFile } from "../workspace/open-file.ts";
import { textChunks } from "../workspace/text-chunks.ts";
import { locate, noFolder, type Workspace } from "../workspace/workspace.ts";
import { MAX_TEXT } from "./read-file.ts";

/** For as long as it takes: what is read is bounded, and whoever waits stops waiting on an interrupt. */
const NEVER = new AbortController().signal;

/**
 * The text of a file that a participant is always shown (`memory.files`), up to {@link MAX_TEXT} characters and then a note.
 * @throws Error when there is no such file, when it is outside the workspace, by its name or by where its links lead, or no text.
 */
export async function readMemoryFile(workspace: Workspace, file: string): Promise<string> {
  if (workspace.roots().length === 0) throw new Error(noFolder("A memory file"));
  let text = "";
  await withFile(await locate(workspace, file), async (handle) => {
    for await (const piece of textChunks(handle, file, NEVER)) {
      text += piece;
      if (text.length > MAX_TEXT) break;
    }
  });
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}\n[The file goes on; the rest is left out.]` : text;
}
