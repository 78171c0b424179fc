import type { CommandExit } from "../../../shared/contract/command-exit.ts";
import { exitOf, hasFailed, startError } from "./command-run.ts";
import type { OutputWindow } from "./output-window.ts";
import { ShellOutput } from "./shell-output.ts";
import type { ShellProcess } from "./shell-process.ts";

interface BackgroundOptions {
  /** Called with each piece of output. */
  readonly show: (text: string) => void;
  /** After so many seconds it is ended; never if left out. */
  readonly timeoutSeconds: number | undefined;
  /** Why the sandbox may have made it fail, from its output. */
  readonly failure?: (output: string) => string | undefined;
}

const never = new AbortController().signal;

/** The process of a background command, and its output. */
export class BackgroundProcess {
  /** Resolves when the command has ended with all that it started. Rejects when its shell cannot be started. */
  readonly ended: Promise<CommandExit>;
  readonly #shell: ShellProcess;
  readonly #output: ShellOutput;
  readonly #options: BackgroundOptions;
  readonly #waiting = new Set<() => void>();
  /** How far each reader has read. */
  readonly #read = new Map<string, number>();
  #exit: CommandExit | undefined;
  #problem: string | undefined;
  #isOver = false;

  constructor(shell: ShellProcess, options: BackgroundOptions) {
    this.#shell = shell;
    this.#options = options;
    this.#output = new ShellOutput(shell, (text) => {
      options.show(text);
      this.#wake();
    });
    this.ended = this.#end();
    // Whoever wants to know waits for it.
    this.ended.catch(() => {});
  }

  get output(): OutputWindow {
    return this.#output.kept;
  }

  /** How it ended; undefined while it runs. */
  get exit(): CommandExit | undefined {
    return this.#exit;
  }

  /** True once it has ended, or could not be started. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Why the sandbox may have made it fail. */
  get sandboxProblem(): string | undefined {
    return this.#problem;
  }

  /** What is new since that reader last read. */
  read(reader: string): string {
    const text = this.output.text(this.#read.get(reader));
    this.#read.set(reader, this.output.length);
    return text;
  }

  /** Resolves when that reader has something to read, when the command has ended, or when `signal` is aborted. */
  changedFor(reader: string, signal: AbortSignal): Promise<void> {
    return this.changed(this.#read.get(reader) ?? 0, signal);
  }

  /** Resolves when there is output after that character, when the command has ended, or when `signal` is aborted. */
  async changed(after: number, signal: AbortSignal): Promise<void> {
    while (this.output.length <= after && !this.#isOver && !signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
      await promise;
      this.#waiting.delete(resolve);
    }
  }

  /** Signals it and all that it started to exit, and kills them a moment later. Does not wait. */
  stop(): void {
    this.#shell.stop();
  }

  async #end(): Promise<CommandExit> {
    const { timeoutSeconds, failure } = this.#options;
    let isTimedOut = false;
    const timer =
      timeoutSeconds === undefined
        ? undefined
        : setTimeout(() => {
            isTimedOut = true;
            this.stop();
          }, timeoutSeconds * 1000);
    try {
      const exit = await this.#shell.exit;
      await this.#output.drain(never);
      this.#output.close();
      // What it left behind ends with it.
      this.#shell.stop();
      this.#exit = isTimedOut ? { timedOut: true } : exitOf(exit);
      if (hasFailed(this.#exit)) this.#problem = failure?.(this.output.text());
      return this.#exit;
    } catch (error) {
      throw startError(error);
    } finally {
      clearTimeout(timer);
      this.#isOver = true;
      this.#wake();
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
  }
}
