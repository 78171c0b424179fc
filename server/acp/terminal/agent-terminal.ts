import type { CommandExit } from "../../../shared/contract/command-exit.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import { type Tool, type ToolContext, ToolInterrupt } from "../../engine/index.ts";
import { TerminalOutput } from "./terminal-output.ts";

/** The longest that one command runs, in seconds: the most that `runCommand` allows. */
const MAX_SECONDS = 3600;

/** How much of the output the call has as its result that ends before its command, in characters. */
const MAX_RESULT = 32 * 1024;

export interface TerminalExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/**
 * A command that an agent has us run. The call that stands for it ends with it, or before, when the turn goes on without it;
 * the command then ends when the agent wants that, and with the session at the latest.
 */
export class AgentTerminal {
  readonly id: string;
  readonly #output: TerminalOutput;
  readonly #stop = new AbortController();
  readonly #left = Promise.withResolvers<string>();
  readonly #exited = Promise.withResolvers<TerminalExit>();
  #how: CommandExit | undefined;
  #exit: TerminalExit | undefined;
  #isRunning = false;
  #isLeft = false;

  constructor(id: string, outputByteLimit: number | undefined) {
    this.id = id;
    this.#output = new TerminalOutput(outputByteLimit);
  }

  /** Undefined while it runs. */
  get exit(): TerminalExit | undefined {
    return this.#exit;
  }

  /** Resolves when the command has ended. */
  get exited(): Promise<TerminalExit> {
    return this.#exited.promise;
  }

  read(): { readonly output: string; readonly truncated: boolean } {
    return this.#output.read();
  }

  /** The call as our executor runs it, with the tool for commands. The user may have it run again, without a sandbox. */
  async run(tool: Tool, input: object, context: ToolContext): Promise<unknown> {
    if (this.#stop.signal.aborted) throw new Error("The agent does not want this command any more.");
    const stop = (): void => this.#stop.abort();
    context.signal.addEventListener("abort", stop, { once: true });
    if (context.signal.aborted) stop();
    this.#isRunning = true;
    const done = tool.run({ timeoutSeconds: MAX_SECONDS, ...input }, this.#contextOf(context)).finally(() => {
      this.#isRunning = false;
    });
    // A question about it keeps it, until it is answered.
    const ended = done.then(
      (output) => {
        this.settle();
        return output;
      },
      (error: unknown) => this.#failed(error, context),
    );
    try {
      return await Promise.race([ended, this.#left.promise]);
    } finally {
      context.signal.removeEventListener("abort", stop);
    }
  }

  /** The call ends; the command goes on. */
  leave(): void {
    if (!this.#isRunning || this.#isLeft) return;
    this.#isLeft = true;
    const output = this.#output.read().output.slice(-MAX_RESULT);
    this.#left.resolve([output.trimEnd(), "The command goes on."].filter((text) => text !== "").join("\n"));
  }

  /** Ends the command, with all that it has started. */
  kill(): void {
    this.#stop.abort();
    if (!this.#isRunning) this.settle();
  }

  /** There is no more to come, unless the command runs. */
  settle(): void {
    if (this.#isRunning || this.#exit !== undefined) return;
    const how = this.#how ?? (this.#stop.signal.aborted ? { signal: "SIGTERM" } : undefined);
    this.#exit = exitOf(how);
    this.#exited.resolve(this.#exit);
  }

  #contextOf(context: ToolContext): ToolContext {
    return {
      ...context,
      signal: this.#stop.signal,
      output: (delta) => {
        if (!this.#isLeft) context.output(delta);
      },
      allOutput: (text) => this.#output.push(text),
      exited: (how) => {
        this.#how = how;
        if (!this.#isLeft) context.exited?.(how);
      },
    };
  }

  #failed(error: unknown, { signal }: ToolContext): string {
    const isQuestion = error instanceof ToolInterrupt;
    const isStopped = this.#stop.signal.aborted;
    if (!isQuestion && !isStopped) this.#output.push(messageOf(error));
    if (!isQuestion || this.#isLeft) this.settle();
    if (isStopped && !signal.aborted && !isQuestion && !this.#isLeft)
      return `${this.#output.read().output.slice(-MAX_RESULT)}\nThe agent ended this command.`.trimStart();
    if (this.#isLeft) return "";
    throw error;
  }
}

function exitOf(how: CommandExit | undefined): TerminalExit {
  if (how === undefined) return { exitCode: null, signal: null };
  if ("code" in how) return { exitCode: how.code, signal: null };
  return { exitCode: null, signal: "signal" in how ? how.signal : "SIGTERM" };
}
