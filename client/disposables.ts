import type { Disposable } from "vscode";

/** What is owned together and let go together, last first. One that comes after the end is let go at once. */
export class Disposables implements Disposable {
  readonly #owned: Disposable[] = [];
  #disposed = false;

  add<T extends Disposable>(disposable: T): T {
    if (this.#disposed) disposable.dispose();
    else this.#owned.push(disposable);
    return disposable;
  }

  dispose(): void {
    this.#disposed = true;
    for (const disposable of this.#owned.splice(0).reverse()) disposable.dispose();
  }
}
