/** Work on one path after the other: what reads a file and then writes it must not meet another that does. */
export class PathQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does `work` once all that was asked for the path before has ended, well or not. */
  async run<T>(path: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(path) ?? Promise.resolve();
    const done = before.then(work);
    const settled = done.catch(() => undefined);
    this.#last.set(path, settled);
    try {
      return await done;
    } finally {
      if (this.#last.get(path) === settled) this.#last.delete(path);
    }
  }
}
