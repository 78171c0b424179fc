/** The process is to end soon: the signal or the pipe that says so, as the exit code that shells give to it. */
export const EndedBy = { hangUp: 129, interrupt: 130, brokenPipe: 141, terminated: 143 } as const;
export type EndedBy = (typeof EndedBy)[keyof typeof EndedBy];

/**
 * When the process is told to end: by a signal, by a reader of its output that has gone (`| head`), or by the user. What
 * runs is then interrupted and stored before it ends.
 */
export class Ending {
  readonly #controller = new AbortController();
  #code: EndedBy | undefined;

  /** Aborted when the process is to end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The exit code; undefined while the process is not told to end. */
  get code(): EndedBy | undefined {
    return this.#code;
  }

  /** The first reason counts. */
  request(code: EndedBy): void {
    if (this.#code !== undefined) return;
    this.#code = code;
    this.#controller.abort();
  }

  /** Listens to the signals of the process and to the ends of its outputs, until it ends. */
  listen(): void {
    process.on("SIGTERM", () => this.request(EndedBy.terminated));
    process.on("SIGHUP", () => this.request(EndedBy.hangUp));
    process.on("SIGINT", () => this.request(EndedBy.interrupt));
    for (const output of [process.stdout, process.stderr]) {
      // What cannot be written is not read by anybody.
      output.on("error", () => this.request(EndedBy.brokenPipe));
    }
  }
}
