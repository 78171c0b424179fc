import type { Disposable, TextDocumentContentProvider } from "vscode";
import { EventEmitter, Uri, workspace } from "vscode";
import { Disposables } from "./disposables.ts";

/** Read-only text documents. The text of each is kept while its document is open. */
export class ReadOnlyDocuments implements Disposable, TextDocumentContentProvider {
  readonly #scheme: string;
  readonly #texts = new Map<string, string>();
  readonly #own = new Disposables();
  readonly #changed = this.#own.add(new EventEmitter<Uri>());
  readonly onDidChange = this.#changed.event;

  constructor(scheme = "gavel-shown") {
    this.#scheme = scheme;
    this.#own.add(workspace.registerTextDocumentContentProvider(scheme, this));
    this.#own.add(workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())));
  }

  /**
   * Stores a text and returns the URI to open it by. An open document of the same name and id shows the new text.
   * @param name the path, which gives the tab its title and the document its language.
   * @param id tells documents of the same name apart.
   */
  put(name: string, id: string, text: string): Uri {
    const uri = Uri.from({ scheme: this.#scheme, path: `/${name}`, query: id });
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
