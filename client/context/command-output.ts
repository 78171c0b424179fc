import { OutputTail } from "./terminal-text.ts";

/** The sequence by which a shell says that a command starts. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is an escape sequence
const STARTS = /\x1b\][16]33;C/;

/** What one command prints, as VS Code passes it on, and how it ended. */
export class CommandOutput {
  readonly #tail = new OutputTail();
  readonly #collected: Promise<void>;
  readonly #marksStart: boolean;
  #hasStart = false;
  #isEmpty = true;
  #hasEnded = false;
  #exitCode: number | undefined;

  /**
   * @param stream the data of the command's terminal, until the command ends.
   * @param marksStart whether VS Code passes on the start of a command before what it prints, as it does except on Windows.
   */
  constructor(stream: AsyncIterable<string>, marksStart = process.platform !== "win32") {
    this.#marksStart = marksStart;
    // Of a terminal that is closed, what has come is kept.
    this.#collected = this.#collect(stream).catch(() => undefined);
  }

  /** The command has ended; its stream ends too. */
  end(exitCode: number | undefined): void {
    this.#hasEnded = true;
    this.#exitCode = exitCode;
  }

  /**
   * The end of what was printed so far, and the exit code. Of a command that has ended it is complete. Undefined if nothing
   * is known of what an ended command printed: VS Code loses what comes together with the start of the command.
   */
  async text(): Promise<string | undefined> {
    // An end that VS Code told together with what asks for the text comes first.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#hasEnded) await this.#collected;
    const isStartLost = this.#marksStart && !this.#hasStart;
    if (isStartLost && this.#isEmpty && this.#hasEnded) return undefined;
    const lost = this.#isEmpty || !isStartLost ? "" : "[VS Code did not pass on the beginning of the output.]\n";
    const end = this.#exitCode === undefined ? "" : `\n[exit code ${this.#exitCode}]`;
    return `${lost}${this.#tail.text.trimEnd()}${end}`;
  }

  async #collect(stream: AsyncIterable<string>): Promise<void> {
    for await (const data of stream) {
      if (this.#isEmpty) this.#hasStart = STARTS.test(data);
      this.#isEmpty = false;
      this.#tail.add(data);
    }
  }
}
