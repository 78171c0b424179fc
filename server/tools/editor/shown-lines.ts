import type { FileEditor } from "../edits/file-editor.ts";
import { decodedText } from "../edits/text-change.ts";
import type { WorkspacePath } from "../workspace/workspace.ts";

/** How many characters of a line are shown. */
const WIDTH = 240;
/** How many files are read for their lines; of others only the places are shown. */
const MAX_FILES = 100;

/** The lines of files for a result, with unsaved changes. */
export class ShownLines {
  readonly #editor: FileEditor;
  readonly #signal: AbortSignal;
  readonly #files = new Map<string, readonly string[]>();

  constructor(editor: FileEditor, signal: AbortSignal) {
    this.#editor = editor;
    this.#signal = signal;
  }

  /** A line, from 0, without white space around it; empty if it cannot be read. */
  async of(file: WorkspacePath, line: number): Promise<string> {
    this.#signal.throwIfAborted();
    const lines = this.#files.get(file.path) ?? (await this.#read(file));
    const text = (lines[line] ?? "").trim();
    return text.length > WIDTH ? `${text.slice(0, WIDTH)}…` : text;
  }

  async #read(file: WorkspacePath): Promise<readonly string[]> {
    if (this.#files.size >= MAX_FILES) return [];
    const lines = await this.#editor
      .read({ path: file.path, shown: file.shown })
      .then(({ bytes }) => (decodedText(bytes, file.shown) ?? "").split(/\r\n|\r|\n/))
      .catch(() => []);
    this.#files.set(file.path, lines);
    return lines;
  }
}
