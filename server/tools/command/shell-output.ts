import { OutputWindow } from "./output-window.ts";
import type { ShellProcess } from "./shell-process.ts";

/**
 * How long to wait for output after the shell has exited, in milliseconds: first as is, then after its children were
 * signaled to exit.
 */
const DRAIN_MS = { quiet: 250, stopped: 1250 } as const;

/** The output of a command, as it arrives. */
export class ShellOutput {
  readonly kept = new OutputWindow();
  readonly #shell: ShellProcess;
  readonly #show: (text: string) => void;
  /** Settles when every process that holds the output pipes has closed them. */
  readonly #drained: Promise<unknown>;
  #closed = false;

  constructor(shell: ShellProcess, show: (text: string) => void) {
    this.#shell = shell;
    this.#show = show;
    this.#drained = Promise.all(shell.outputs.map((stream) => this.#collect(stream)));
  }

  /** What comes from now on is ignored. */
  close(): void {
    this.#closed = true;
  }

  /**
   * Reads the rest of the output. A background process can hold the pipes open forever: it is signaled to exit, then no
   * longer waited for. An abort ends the wait.
   */
  async drain(signal: AbortSignal): Promise<void> {
    if (await this.#drainedWithin(DRAIN_MS.quiet, signal)) return;
    this.#shell.stop();
    await this.#drainedWithin(DRAIN_MS.stopped, signal);
  }

  /** True when the pipes closed within `ms` milliseconds; false otherwise, immediately on an abort. */
  async #drainedWithin(ms: number, signal: AbortSignal): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const giveUp = () => resolve(false);
    const timer = setTimeout(giveUp, ms);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    const inTime = await Promise.race([this.#drained.then(() => true), late]);
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
    return inTime;
  }

  async #collect(stream: AsyncIterable<Buffer>): Promise<void> {
    const decoder = new TextDecoder();
    const take = (text: string) => {
      if (this.#closed) return;
      this.kept.push(text);
      this.#show(text);
    };
    try {
      for await (const bytes of stream) take(decoder.decode(bytes, { stream: true }));
    } catch {
      // The pipe was closed; what arrived is kept.
    }
    take(decoder.decode());
  }
}
