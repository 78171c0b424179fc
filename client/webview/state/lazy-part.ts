import { signal } from "@preact/signals";

/**
 * A part of the page that is loaded when it is first needed: the build puts what `load` imports dynamically, and nothing
 * else imports, into a file of its own.
 */
export class LazyPart<T> {
  readonly #load: () => Promise<T>;
  readonly #part = signal<{ readonly value: T } | undefined>(undefined);
  #loading = false;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** The part; undefined until it is loaded. A component that reads this is rendered again once it is. */
  get loaded(): T | undefined {
    return this.#part.value?.value;
  }

  /**
   * Starts to load the part, unless it is loaded or loading. One that cannot be loaded is tried again when next needed; the
   * console says why.
   */
  load(): void {
    if (this.#loading || this.#part.value !== undefined) return;
    this.#loading = true;
    const done = (part?: { readonly value: T }) => {
      this.#loading = false;
      this.#part.value = part;
    };
    this.#load().then(
      (value) => done({ value }),
      () => done(),
    );
  }
}
