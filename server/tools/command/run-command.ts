import { stat } from "node:fs/promises";
import * as z from "zod";
import { messageOf } from "../../../shared/contract/errors.ts";
import type { CommandExit } from "../../../shared/contract/event.ts";
import { type Tool, type ToolContext, ToolInterrupt } from "../../engine/tool.ts";
import { defineTool } from "../define-tool.ts";
import { changedFiles, fileVersions } from "../edits/file-versions.ts";
import { locate, type Workspace, type WorkspacePath } from "../workspace/workspace.ts";
import { commandEnvironment } from "./command-environment.ts";
import { type CommandGuard, sandboxStateOf } from "./command-guard.ts";
import { LiveOutput } from "./live-output.ts";
import { KEPT_PER_END, OutputWindow } from "./output-window.ts";
import { isOutsideApproved, outsideQuestion } from "./run-outside.ts";
import { type ShellExit, ShellProcess } from "./shell-process.ts";

const DEFAULT_TIMEOUT_SECONDS = 120;
/**
 * How long to wait for output after the shell has exited, in milliseconds: first as is, then after its children were
 * signaled to exit.
 */
const DRAIN_MS = { quiet: 250, stopped: 1250 } as const;

const input = z.strictObject({
  command: z
    .string()
    .min(1)
    .max(20_000)
    .refine((command) => command.trim() !== "" && !command.includes("\0"), {
      message: "a command must not be empty or contain NUL",
    })
    .describe("Command line to run."),
  cwd: z
    .string()
    .max(4096)
    .optional()
    .describe(
      "Folder to run in, relative to the workspace folder. Default: the workspace folder, the first of several.",
    ),
  timeoutSeconds: z
    .number()
    .positive()
    .max(3600)
    .optional()
    .describe(`Seconds after which the command is ended. Default: ${DEFAULT_TIMEOUT_SECONDS}.`),
});

type Input = z.output<typeof input>;

/**
 * Runs a command line in the workspace once the user has approved it: in the sandbox of `guard`, if there is one. A command
 * that the sandbox made fail runs outside it only when the user answers its tool interrupt so.
 */
export function runCommandTool(workspace: Workspace, guard: CommandGuard | undefined): Tool {
  return defineTool(workspace, {
    name: "runCommand",
    description:
      "Runs a command line in the workspace with the system shell (/bin/sh, or cmd.exe on Windows) and returns its output, errors " +
      "included, and its exit code. It has no input, so use non-interactive options. Processes that it leaves in the background " +
      `are ended with it. Long output is cut to its first and last ${KEPT_PER_END / 1024} KB. ` +
      "The user is asked to approve each command; to look at files, prefer readFile, listFiles and searchText.",
    approval: "ask",
    input,
    async effects({ command, cwd }) {
      const { path } = await folderOf(workspace, cwd);
      return { command: { line: command, folder: path }, paths: [], hosts: [] };
    },
    run: (wanted, context) => notingChanges(workspace, guard, wanted.command, context, () => runIn(wanted, context)),
    async preview() {
      const state = await sandboxStateOf(guard);
      return { sandbox: state.available ? "on" : "off", ...(state.available ? {} : { reason: state.reason }) };
    },
  });

  async function runIn({ command, cwd, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS }: Input, context: ToolContext) {
    const place = await folderOf(workspace, cwd);
    if (context.effects?.command?.folder !== place.path) {
      throw new Error(`cwd "${place.shown}" is not what was approved: its path leads elsewhere now; try again.`);
    }
    if (!(await stat(place.path)).isDirectory()) throw new Error(`cwd "${place.shown}" is a file; give a folder.`);
    const env = commandEnvironment(process.env, guard?.settings().environment);
    const { available } = await sandboxStateOf(guard);
    context.signal.throwIfAborted();
    if (guard === undefined || !available || isOutsideApproved(context.metadata)) {
      const shell = new ShellProcess(command, { cwd: place.path, env });
      const { text, exit } = await new CommandRun(shell, context).result(timeoutSeconds);
      context.exited?.(exit);
      return text;
    }
    const asked = (reason: string, text: string): ToolInterrupt => {
      const output = `${text}\nThe sandbox may be the cause: ${reason}.`;
      return new ToolInterrupt(outsideQuestion({ command, cwd, reason, output }));
    };
    const wanted = {
      command,
      cwd: place.path,
      env,
      roots: workspace.roots(),
      rules: guard.rules(context),
      hidden: guard.hidden,
      allowedHosts: guard.settings().allowedHosts,
    };
    const sandboxed = await guard.sandbox.prepare(wanted, context.signal).catch((error: unknown) => {
      context.signal.throwIfAborted();
      throw asked(`it could not be set up (${messageOf(error)})`, "The command was not run.");
    });
    let gone = Promise.resolve();
    try {
      context.signal.throwIfAborted();
      const shell = new ShellProcess(sandboxed, { cwd: place.path, env: sandboxed.env });
      gone = shell.gone;
      const { text, exit } = await new CommandRun(shell, context).result(timeoutSeconds);
      const reason = hasFailed(exit) ? sandboxed.failure(text) : undefined;
      context.exited?.(exit);
      if (reason === undefined) return text;
      throw asked(reason, text);
    } finally {
      // What protects the workspace stays until no process of the command runs; an interrupt does not wait for that.
      const closed = gone.then(() => sandboxed.close());
      if (!context.signal.aborted) await closed;
    }
  }
}

/** Runs a command, and tells which files changed meanwhile. An interrupt does not wait for that. */
async function notingChanges<T>(
  workspace: Workspace,
  guard: CommandGuard | undefined,
  command: string,
  context: ToolContext,
  run: () => Promise<T>,
): Promise<T> {
  const { changed } = guard ?? {};
  const before = changed === undefined ? undefined : await fileVersions(workspace, context.signal);
  try {
    return await run();
  } finally {
    if (changed !== undefined && before !== undefined) {
      const { teamId, participant, ref } = context;
      const noted = fileVersions(workspace, new AbortController().signal).then(async (after) => {
        if (after !== undefined) await changed({ teamId, participant, ref }, command, changedFiles(before, after));
      });
      // What the command did is done, whether or not it can be told.
      const told = noted.catch(() => {});
      if (!context.signal.aborted) await told;
    }
  }
}

const folderOf = (workspace: Workspace, cwd: string | undefined): Promise<WorkspacePath> =>
  locate(workspace, cwd === undefined || cwd === "" ? "." : cwd);

type End = { readonly how: "exit"; readonly exit: ShellExit } | { readonly how: "timeout" } | { readonly how: "abort" };

interface CommandResult {
  /** The output, followed by a line that says how the command ended. */
  readonly text: string;
  readonly exit: CommandExit;
}

/** Whether it exited with another code than 0, or by a signal. */
const hasFailed = (exit: CommandExit): boolean => "signal" in exit || ("code" in exit && exit.code !== 0);

/** One run of a command, from start to result. */
class CommandRun {
  readonly #shell: ShellProcess;
  readonly #signal: AbortSignal;
  readonly #kept = new OutputWindow();
  readonly #live: LiveOutput;
  /** Settles when every process that holds the output pipes has closed them. */
  readonly #drained: Promise<unknown>;
  #ended = false;

  constructor(shell: ShellProcess, context: ToolContext) {
    this.#shell = shell;
    this.#signal = context.signal;
    this.#live = new LiveOutput((delta) => context.output(delta));
    this.#drained = Promise.all(shell.outputs.map((stream) => this.#collect(stream)));
  }

  /** @throws Error when the shell cannot be started; immediately on an abort, with the output so far. */
  async result(timeoutSeconds: number): Promise<CommandResult> {
    const end = await this.#end(timeoutSeconds);
    if (end.how === "exit") await this.#drain();
    this.#ended = true;
    this.#shell.stop();
    if (end.how === "abort")
      throw new Error(this.#withOutput("interrupted: the command and its child processes were ended"));
    if (end.how === "timeout") {
      return { text: this.#withOutput(`timed out after ${timeoutSeconds} s and was ended`), exit: { timedOut: true } };
    }
    const { code, signal } = end.exit;
    const exit = code === null ? { signal: signal ?? "unknown" } : { code };
    return { text: this.#withOutput(exitLine(end.exit)), exit };
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
      throw new Error(`The shell could not be started: ${error instanceof Error ? error.message : String(error)}.`);
    } finally {
      clearTimeout(timer);
      this.#signal.removeEventListener("abort", onAbort);
    }
  }

  /**
   * Reads the rest of the output. A background process can hold the pipes open forever: it is signaled to exit, then no
   * longer waited for.
   */
  async #drain(): Promise<void> {
    if (await this.#drainedWithin(DRAIN_MS.quiet)) return;
    this.#shell.stop();
    await this.#drainedWithin(DRAIN_MS.stopped);
  }

  /** True when the pipes closed within `ms` milliseconds; false otherwise, immediately on an abort. */
  async #drainedWithin(ms: number): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const giveUp = () => resolve(false);
    const timer = setTimeout(giveUp, ms);
    if (this.#signal.aborted) giveUp();
    this.#signal.addEventListener("abort", giveUp, { once: true });
    const inTime = await Promise.race([this.#drained.then(() => true), late]);
    clearTimeout(timer);
    this.#signal.removeEventListener("abort", giveUp);
    return inTime;
  }

  async #collect(stream: AsyncIterable<Buffer>): Promise<void> {
    const decoder = new TextDecoder();
    const take = (text: string) => {
      if (this.#ended) return;
      this.#kept.push(text);
      this.#live.push(text);
    };
    try {
      for await (const bytes of stream) take(decoder.decode(bytes, { stream: true }));
    } catch {
      // The pipe was closed; what arrived is kept.
    }
    take(decoder.decode());
  }

  #withOutput(line: string): string {
    const output = this.#kept.text();
    return output === "" || output.endsWith("\n") ? output + line : `${output}\n${line}`;
  }
}

function exitLine({ code, signal }: ShellExit): string {
  return signal === null ? `exit code ${code}` : `ended by signal ${signal}`;
}
