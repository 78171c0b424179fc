import type { Disposable, Terminal, TerminalShellExecution } from "vscode";
import { window } from "vscode";
import { Disposables } from "../disposables.ts";
import { CommandOutput } from "./command-output.ts";

/** How many commands are remembered. */
const MAX_COMMANDS = 20;

/** A command that ran in a terminal of the user's. */
interface TerminalCommand {
  readonly id: string;
  readonly terminal: Terminal;
  readonly execution: TerminalShellExecution;
  readonly command: string;
  readonly output: CommandOutput;
}

/**
 * What the commands printed that ran in terminals since the extension was loaded, where the shell tells VS Code of them
 * (shell integration). It stays in memory, and leaves it only when the user attaches it.
 */
export class TerminalOutput implements Disposable {
  readonly #own = new Disposables();
  readonly #commands: TerminalCommand[] = [];
  #last = 0;

  constructor() {
    this.#own.add(
      window.onDidStartTerminalShellExecution(({ terminal, execution }) => this.#started(terminal, execution)),
    );
    this.#own.add(
      window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
        this.#commands.find((command) => command.execution === execution)?.output.end(exitCode);
      }),
    );
  }

  /** The last command of the active terminal, else of any. */
  get last(): { readonly id: string; readonly command: string } | undefined {
    const active = this.#commands.findLast(({ terminal }) => terminal === window.activeTerminal);
    return active ?? this.#commands.at(-1);
  }

  /**
   * The command and what it has printed so far: all of it, if it has ended.
   * @throws Error with a sentence when it is not remembered, or VS Code did not pass on what it printed.
   */
  async read(id: string): Promise<string> {
    const found = this.#commands.find((command) => command.id === id);
    if (found === undefined)
      throw new Error(
        "The attached terminal output is not available any more. Remove it, run the command again and attach it.",
      );
    const text = await found.output.text();
    if (text === undefined)
      throw new Error(
        "VS Code did not pass on what the command printed. Run it again, then attach the terminal output.",
      );
    return `$ ${found.command}\n${text}`;
  }

  dispose(): void {
    this.#own.dispose();
  }

  #started(terminal: Terminal, execution: TerminalShellExecution): void {
    const output = new CommandOutput(execution.read());
    const { value: command } = execution.commandLine;
    this.#commands.push({ id: `${++this.#last}`, terminal, execution, command, output });
    if (this.#commands.length > MAX_COMMANDS) this.#commands.shift();
  }
}
