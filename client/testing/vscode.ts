import type { Disposable, Event } from "vscode";

/** The parts of VS Code's API that unit tests need. */
export class EventEmitter<T> {
  readonly #listeners = new Set<(event: T) => unknown>();

  readonly event: Event<T> = (listener): Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  fire(event: T): void {
    for (const listener of this.#listeners) listener(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
