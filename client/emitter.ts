import type { Disposable } from "vscode";
import { Disposables } from "./disposables.ts";

type Listen = (listener: () => unknown) => Disposable;

/** Calls a listener with nothing when any of these events fires. */
export const anyOf =
  (...events: readonly Listen[]): Listen =>
  (listener) => {
    const all = new Disposables();
    for (const event of events) all.add(event(() => listener()));
    return all;
  };

/**
 * Sends events to listeners, as VS Code's EventEmitter does. Code that uses this one does not need the editor, so
 * its unit tests run without one.
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(event: T) => unknown>();

  /** Calls `listener` with every event until the returned disposable is disposed. */
  readonly event = (listener: (event: T) => unknown): Disposable => {
    // Its own function, so that a listener that is added twice is called twice.
    const own = (event: T): unknown => listener(event);
    this.#listeners.add(own);
    return { dispose: () => this.#listeners.delete(own) };
  };

  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
