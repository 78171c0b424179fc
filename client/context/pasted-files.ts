import { createHash } from "node:crypto";
import { posix } from "node:path";
import { Uri, workspace } from "vscode";

/** How long a pasted file is kept, in milliseconds: a draft may wait for that long. */
const KEPT_MS = 30 * 24 * 3600 * 1000;

/**
 * Files that were pasted or dropped from outside the editor: the page has only their content. They wait in the extension's
 * storage until their message is sent, also over a reload.
 */
export class PastedFiles {
  readonly #folder: Uri;
  #cleaned = false;

  constructor(storage: Uri) {
    this.#folder = Uri.joinPath(storage, "pasted");
  }

  /** Stores a file by its content. @param base64 its content. */
  async save(name: string, base64: string): Promise<Uri> {
    const bytes = Buffer.from(base64, "base64");
    const extension = /\.[a-z0-9]{1,10}$/i.exec(name)?.[0] ?? "";
    const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 24);
    const uri = Uri.joinPath(this.#folder, `${hash}${extension.toLowerCase()}`);
    await workspace.fs.writeFile(uri, bytes);
    // What cannot be removed now is removed after a later one.
    if (!this.#cleaned) this.#clean().catch(() => undefined);
    this.#cleaned = true;
    return uri;
  }

  /** Whether a file is one of these: its path says nothing to users or models. */
  has({ scheme, path }: Uri): boolean {
    return scheme === this.#folder.scheme && posix.dirname(posix.normalize(path)) === this.#folder.path;
  }

  async #clean(): Promise<void> {
    for (const [name] of await workspace.fs.readDirectory(this.#folder)) {
      const uri = Uri.joinPath(this.#folder, name);
      const { mtime } = await workspace.fs.stat(uri);
      if (Date.now() - mtime > KEPT_MS) await workspace.fs.delete(uri);
    }
  }
}
