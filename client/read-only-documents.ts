import type { Disposable, TextDocumentContentProvider } from "vscode";
import { EventEmitter, Uri, workspace } from "vscode";
import { Disposables } from "./disposables.ts";

const SCHEME = "gavel-shown";

/** Text that Gavel shows in an editor, to be read and not changed. Each is kept while its document is open. */
export class ReadOnlyDocuments implements Disposable, TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #own = new Disposables();
  readonly #changed = this.#own.add(new EventEmitter<Uri>());
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#own.add(workspace.registerTextDocumentContentProvider(SCHEME, this));
    this.#own.add(workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())));
  }

  /**
   * The address of a document with this text, to be opened. `name` is its path, and so its tab and its language; `id` tells it from
   * others of that name. The document of that name and id, if it is open, shows the new text.
   */
  put(name: string, id: string, text: string): Uri {
    const uri = Uri.from({ scheme: SCHEME, path: `/${name}`, query: id });
    const before = this.#texts.get(uri.toString());
    this.#texts.set(uri.toString(), text);
    if (before !== undefined && before !== text) this.#changed.fire(uri);
    return uri;
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.toString()) ?? "";
  }

  dispose(): void {
    this.#own.dispose();
  }
}
