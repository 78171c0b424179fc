import type { CommandExit } from "../../../shared/contract/command-exit.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import type { ToolContext } from "../../engine/tool.ts";
import { LiveOutput } from "./live-output.ts";
import { ShellOutput } from "./shell-output.ts";
import type { ShellExit, ShellProcess } from "./shell-process.ts";

type End = { readonly how: "exit"; readonly exit: ShellExit } | { readonly how: "timeout" } | { readonly how: "abort" };

interface CommandResult {
  /** The output, followed by a line that says how the command ended. */
  readonly text: string;
  readonly exit: CommandExit;
}

/** Whether it exited with another code than 0, or by a signal. */
export const hasFailed = (exit: CommandExit): boolean => "signal" in exit || ("code" in exit && exit.code !== 0);

export const exitOf = ({ code, signal }: ShellExit): CommandExit =>
  code === null ? { signal: signal ?? "unknown" } : { code };

/** How a command ended, as the last line of its result. */
export function exitLine(exit: CommandExit): string {
  if ("timedOut" in exit) return "its time was up, and it was ended";
  return "code" in exit ? `exit code ${exit.code}` : `ended by signal ${exit.signal}`;
}

export const startError = (error: unknown): Error => new Error(`The shell could not be started: ${messageOf(error)}.`);

export const withLine = (output: string, line: string): string =>
  output === "" || output.endsWith("\n") ? output + line : `${output}\n${line}`;

/** One run of a command, from start to result. */
export class CommandRun {
  readonly #shell: ShellProcess;
  readonly #signal: AbortSignal;
  readonly #output: ShellOutput;

  constructor(shell: ShellProcess, context: ToolContext) {
    this.#shell = shell;
    this.#signal = context.signal;
    const live = new LiveOutput((delta) => context.output(delta));
    this.#output = new ShellOutput(shell, (text) => {
      context.allOutput?.(text);
      live.push(text);
    });
  }

  /** @throws Error when the shell cannot be started; immediately on an abort, with the output so far. */
  async result(timeoutSeconds: number): Promise<CommandResult> {
    const end = await this.#end(timeoutSeconds);
    if (end.how === "exit") await this.#output.drain(this.#signal);
    this.#output.close();
    this.#shell.stop();
    if (end.how === "abort")
      throw new Error(this.#withOutput("interrupted: the command and its child processes were ended"));
    if (end.how === "timeout") {
      return { text: this.#withOutput(`timed out after ${timeoutSeconds} s and was ended`), exit: { timedOut: true } };
    }
    const exit = exitOf(end.exit);
    return { text: this.#withOutput(exitLine(exit)), exit };
  }

  async #end(timeoutSeconds: number): Promise<End> {
    const { promise: stopped, resolve: stop } = Promise.withResolvers<End>();
    const onAbort = () => stop({ how: "abort" });
    const timer = setTimeout(() => stop({ how: "timeout" }), timeoutSeconds * 1000);
    this.#signal.addEventListener("abort", onAbort, { once: true });
    try {
      const exited = this.#shell.exit.then((exit): End => ({ how: "exit", exit }));
      return await Promise.race([exited, stopped]);
    } catch (error) {
      throw startError(error);
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener("abort", onAbort);
    }
  }

  #withOutput(line: string): string {
    return withLine(this.#output.kept.text(), line);
  }
}
