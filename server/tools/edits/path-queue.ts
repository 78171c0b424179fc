/** Runs work on the same path one after the other, so that edits of one file do not overlap. */
export class PathQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs `work` once all earlier work on the path has settled. */
  async run<T>(path: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(path) ?? Promise.resolve();
    const done = before.then(work);
    const settled = done.catch(() => undefined);
    this.#tails.set(path, settled);
    try {
      return await done;
    } finally {
      if (this.#tails.get(path) === settled) this.#tails.delete(path);
    }
  }
}
