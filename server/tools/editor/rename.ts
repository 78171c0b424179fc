import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { EditorRename } from "../../../shared/contract/editor-requests.ts";
import type { CallEffects, Tool, ToolContext } from "../../engine/tool.ts";
import { defineTool } from "../define-tool.ts";
import { changeReport, unsavedNote } from "../edits/edit-report.ts";
import type { FileEditor, RewrittenFile } from "../edits/file-editor.ts";
import { changedBytes, isShownChange } from "../edits/text-change.ts";
import { editedText } from "../edits/text-edits.ts";
import { decodeText } from "../text/text-encoding.ts";
import { approvedPlace } from "../workspace/approved-places.ts";
import { locateFile } from "../workspace/locate-file.ts";
import { locate, type Workspace, type WorkspacePath } from "../workspace/workspace.ts";
import { type AskEditor, askFor } from "./ask-editor.ts";
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

/** A file that a rename changes: its content now, and after the rename. */
interface RenamedFile {
  readonly place: WorkspacePath;
  readonly before: Buffer;
  readonly after: Buffer;
}

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
    effects: async (wanted) => effectsOf(await renamedFiles(wanted, new AbortController().signal)),
    async run(wanted, context) {
      const files = await renamedFiles(wanted, context.signal);
      for (const { place } of files) approvedPlace(place, context);
      if (!isShownChange(digestOf(files), context))
        throw new Error("The files have changed since the user was shown this rename, so it was not made; try again.");
      const done = await new Renaming(editor, context).make(files);
      for (const file of done) context.output(`${file.place.shown}\n${changeReport(file)}`);
      const unsaved = done.find(({ isUnsaved }) => isUnsaved);
      const names = done.map(({ place }) => place.shown).join(", ");
      const what = done.length === 1 ? "1 file" : `${done.length} files`;
      return `Renamed "${wanted.symbol}" to "${wanted.newName}" in ${what}: ${names}.${unsaved ? unsavedNote(unsaved) : ""}`;
    },
    async preview(wanted) {
      const files = await renamedFiles(wanted, new AbortController().signal);
      return {
        files: files.map(({ place, before, after }) => ({
          path: place.shown,
          file: place.path,
          before: decodeText(before, place.shown).text,
          after: decodeText(after, place.shown).text,
        })),
        digest: digestOf(files),
      };
    },
  });

  /** What the editor would change now, sorted by name. @throws Error when it would change something else than such files. */
  async function renamedFiles(wanted: Input, signal: AbortSignal): Promise<readonly RenamedFile[]> {
    const { newName, ...named } = wanted;
    const own = await locateFile(workspace, wanted.path, signal);
    const at = await locatedSymbol(workspace, editor, named, { signal, effects: readEffects(own) });
    const { files } = await askFor(name, ask, EditorRename, { ...at, newName }, signal);
    const renamed: RenamedFile[] = [];
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

/** Changes files one after another, each only if it is still as it was read. */
class Renaming {
  readonly #editor: FileEditor;
  readonly #context: ToolContext;

  constructor(editor: FileEditor, context: ToolContext) {
    this.#editor = editor;
    this.#context = context;
  }

  /** @throws Error that says which files were changed before one could not be. */
  async make(files: readonly RenamedFile[]): Promise<readonly RewrittenFile[]> {
    const done: RewrittenFile[] = [];
    for (const file of files) {
      try {
        done.push(await this.#change(file));
      } catch (error) {
        if (done.length === 0) throw error;
        const changed = done.map(({ place }) => place.shown).join(", ");
        const why = error instanceof Error ? error.message : String(error);
        throw new Error(`The rename is incomplete: ${changed} ${done.length === 1 ? "is" : "are"} changed. ${why}`);
      }
    }
    return done;
  }

  #change({ place, before, after }: RenamedFile): Promise<RewrittenFile> {
    return this.#editor.rewrite(
      { path: place.path, shown: place.shown },
      ({ bytes }) => {
        if (bytes?.equals(before)) return after;
        throw new Error(`"${place.shown}" was changed just now; read it and try again.`);
      },
      (edit) => this.#editor.log.plan(this.#context, edit),
      this.#context.signal,
    );
  }
}

const readEffects = ({ path }: WorkspacePath): CallEffects => ({ paths: [{ use: "read", path }], hosts: [] });

const effectsOf = (files: readonly RenamedFile[]): CallEffects => ({
  paths: files.map(({ place }) => ({ use: "write", path: place.path })),
  hosts: [],
});

/** Of exactly these changes of exactly these contents. */
function digestOf(files: readonly RenamedFile[]): string {
  const hash = createHash("sha256");
  for (const { place, before, after } of files) {
    hash
      .update(`${JSON.stringify(place.path)} ${before.length} ${after.length}\n`)
      .update(before)
      .update(after);
  }
  return hash.digest("hex");
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
