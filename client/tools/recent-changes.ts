import type { Disposable, Uri } from "vscode";
import { workspace } from "vscode";

/** How long after a change the problems of a file may still be those of its former text, in milliseconds. */
const RECENT_MS = 3000;

/** Knows which open documents have changed recently. */
export class RecentChanges implements Disposable {
  readonly #changed = new Map<string, number>();
  readonly #listener = workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.length === 0) return;
    const now = performance.now();
    for (const [uri, at] of this.#changed) if (now - at > RECENT_MS) this.#changed.delete(uri);
    this.#changed.set(document.uri.toString(), now);
  });

  has(uri: Uri): boolean {
    const at = this.#changed.get(uri.toString());
    return at !== undefined && performance.now() - at <= RECENT_MS;
  }

  dispose(): void {
    this.#listener.dispose();
  }
}
