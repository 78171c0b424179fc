/** How much of one command's output is shown while it runs, in characters. Every piece goes to the store and to each client. */
export const SHOWN_LIVE = 256 * 1024;

/** Passes on what a command prints as it comes, up to a bound that a command which prints for ever would soon reach. */
export class LiveOutput {
  readonly #show: (delta: string) => void;
  #left = SHOWN_LIVE;

  constructor(show: (delta: string) => void) {
    this.#show = show;
  }

  push(text: string): void {
    if (this.#left === 0 || text === "") return;
    this.#show(text.slice(0, this.#left));
    this.#left = Math.max(0, this.#left - text.length);
    if (this.#left === 0) this.#show("\n[There is more output than is shown here; the result will have its end.]\n");
  }
}
