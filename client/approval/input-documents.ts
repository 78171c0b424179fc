import type { Disposable, TextDocumentContentProvider } from "vscode";
import { Uri, window, workspace } from "vscode";

const SCHEME = "gavel-tool-input";

/** Shows a tool call's whole input as a document that can be read and not changed. */
export class InputDocuments implements Disposable, TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #registration = workspace.registerTextDocumentContentProvider(SCHEME, this);
  readonly #closing = workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString()));

  async show(name: string, ref: string, text: string): Promise<void> {
    const uri = Uri.from({ scheme: SCHEME, path: `/${name} (whole input).txt`, query: ref });
    this.#texts.set(uri.toString(), text);
    await window.showTextDocument(uri, { preview: true });
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.toString()) ?? "";
  }

  dispose(): void {
    this.#registration.dispose();
    this.#closing.dispose();
  }
}
