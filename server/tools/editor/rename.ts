import { fileURLToPath, pathToFileURL } from "node:url";
import * as z from "zod";
import { EditorRename } from "../../../shared/contract/editor-requests.ts";
import type { Tool } from "../../engine/tool.ts";
import { defineTool } from "../define-tool.ts";
import type { FileEditor } from "../edits/file-editor.ts";
import { changeTogether, type PlannedChange, previewOfChanges } from "../edits/several-files.ts";
import { changedBytes } from "../edits/text-change.ts";
import { editedText } from "../edits/text-edits.ts";
import { pathEffects } from "../workspace/approved-places.ts";
import { locateFile } from "../workspace/locate-file.ts";
import { locate, type Workspace, type WorkspacePath } from "../workspace/workspace.ts";
import { type AskEditor, askFor, NoEditorError } from "./ask-editor.ts";
import { locatedSymbol, symbolInput } from "./references.ts";

const name = "rename";

const input = symbolInput.extend({
  newName: z
    .string()
    .min(1)
    .max(500)
    .refine((text) => !/\p{Cc}/u.test(text), { message: "a name has no control characters" })
    .describe("The new name."),
});
type Input = z.output<typeof input>;

/** Renames a symbol everywhere, by the editor's language support, once the user has approved the changes of all files. */
export function renameTool(workspace: Workspace, editor: FileEditor, ask: AskEditor): Tool {
  return defineTool(workspace, {
    name,
    description:
      "Renames a symbol everywhere it is used, by the editor's language support: one call changes all files, and other " +
      "symbols of the same name stay. Name the symbol by its file, its present name and a line that has it. Prefer it to " +
      "editing each file. The user is asked to approve all of the changes at once.",
    approval: "ask",
    input,
    effects: async (wanted) => {
      const { signal } = new AbortController();
      const own = await locateFile(workspace, wanted.path, signal);
      // Why it cannot be made tells what is in the file, and no one has allowed that yet: the call itself says it.
      const changes = await plannedChanges(wanted, signal).catch(() => noneInEditor(own, wanted.newName, signal));
      const places = changes.map(({ place }) => place);
      return pathEffects("write", places.some(({ path }) => path === own.path) ? places : [own, ...places]);
    },
    async run(wanted, context) {
      const changes = await plannedChanges(wanted, context.signal);
      const { files, note } = await changeTogether(editor, changes, context, "this rename");
      const names = files.map(({ place }) => place.shown).join(", ");
      const what = files.length === 1 ? "1 file" : `${files.length} files`;
      return `Renamed "${wanted.symbol}" to "${wanted.newName}" in ${what}: ${names}.${note}`;
    },
    preview: async (wanted) => previewOfChanges(await plannedChanges(wanted, new AbortController().signal)),
  });

  /** No changes. @throws NoEditorError where there is no editor, whatever is in the file. */
  async function noneInEditor({ path }: WorkspacePath, newName: string, signal: AbortSignal): Promise<PlannedChange[]> {
    const start = { line: 0, character: 0 };
    const asked = { uri: pathToFileURL(path).href, position: start, newName };
    await askFor(name, ask, EditorRename, asked, signal).catch((error: unknown) => {
      if (error instanceof NoEditorError) throw error;
    });
    return [];
  }

  /** What the editor would change now, sorted by name. @throws Error when it would change something else than such files. */
  async function plannedChanges(wanted: Input, signal: AbortSignal): Promise<readonly PlannedChange[]> {
    const { newName, ...named } = wanted;
    const own = await locateFile(workspace, wanted.path, signal);
    const at = await locatedSymbol(workspace, editor, named, { signal, effects: pathEffects("read", [own]) });
    const { files } = await askFor(name, ask, EditorRename, { ...at, newName }, signal);
    const renamed: PlannedChange[] = [];
    for (const { uri, edits } of files) {
      const place = await locate(workspace, pathOf(uri)).catch(() => undefined);
      if (place === undefined) throw new Error(outsideMessage(wanted.symbol));
      const state = await editor.read({ path: place.path, shown: place.shown });
      const after = changedBytes(state, (text, shown) => editedText(text ?? "", edits, shown));
      if (state.bytes !== null && !state.bytes.equals(after)) renamed.push({ place, before: state.bytes, after });
    }
    if (renamed.length === 0) throw new Error(`The editor found nothing to rename for "${wanted.symbol}".`);
    return renamed.toSorted((a, b) => (a.place.shown < b.place.shown ? -1 : 1));
  }
}

function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return uri;
  }
}

const outsideMessage = (symbol: string): string =>
  `The rename of "${symbol}" would change files outside the workspace, so it was not made.`;
