/** How much of a command's output is shown while it runs, in characters. Every piece is stored and sent to each client. */
export const MAX_LIVE_OUTPUT = 256 * 1024;

/** Passes on a command's output as it arrives, up to {@link MAX_LIVE_OUTPUT} characters. */
export class LiveOutput {
  readonly #show: (delta: string) => void;
  #left = MAX_LIVE_OUTPUT;

  constructor(show: (delta: string) => void) {
    this.#show = show;
  }

  push(text: string): void {
    if (this.#left === 0 || text === "") return;
    this.#show(text.slice(0, this.#left));
    this.#left = Math.max(0, this.#left - text.length);
    if (this.#left === 0) this.#show("\n[More output follows than is shown here; the result will include the end.]\n");
  }
}
