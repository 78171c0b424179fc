import { stat } from "node:fs/promises";
import * as z from "zod";
import { messageOf } from "../../../shared/contract/errors.ts";
import { type Tool, type ToolContext, ToolInterrupt } from "../../engine/tool.ts";
import { defineTool } from "../define-tool.ts";
import { changedFiles, fileVersions } from "../edits/file-versions.ts";
import { locate, type Workspace, type WorkspacePath } from "../workspace/workspace.ts";
import type { BackgroundCommands } from "./background-commands.ts";
import { commandEnvironment } from "./command-environment.ts";
import { type CommandGuard, sandboxStateOf } from "./command-guard.ts";
import { CommandRun, hasFailed } from "./command-run.ts";
import { KEPT_PER_END } from "./output-window.ts";
import { isOutsideApproved, outsideQuestion } from "./run-outside.ts";
import { ShellProcess } from "./shell-process.ts";
import { type CommandToRun, startInBackground } from "./start-background.ts";

const DEFAULT_TIMEOUT_SECONDS = 120;

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
    .describe(
      `Seconds after which the command is ended. Default: ${DEFAULT_TIMEOUT_SECONDS}; none for one in the background.`,
    ),
  background: z
    .boolean()
    .optional()
    .describe(
      "For a server, a watcher or another command that does not end by itself: returns its id and first output, and the " +
        "command goes on. Read its output, or stop it, with commandOutput.",
    ),
});

type Input = z.output<typeof input>;
type Shell = Pick<CommandToRun, "spawn" | "onStart" | "failure">;

/**
 * Runs a command line in the workspace once the user has approved it: in the sandbox of `guard`, if there is one. A command
 * that the sandbox made fail runs outside it only when the user answers its tool interrupt so.
 */
export function runCommandTool(
  workspace: Workspace,
  guard: CommandGuard | undefined,
  commands?: BackgroundCommands,
): Tool {
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

  async function runIn(wanted: Input, context: ToolContext) {
    const { command, cwd, background } = wanted;
    const place = await folderOf(workspace, cwd);
    if (context.effects?.command?.folder !== place.path) {
      throw new Error(`cwd "${place.shown}" is not what was approved: its path leads elsewhere now; try again.`);
    }
    if (!(await stat(place.path)).isDirectory()) throw new Error(`cwd "${place.shown}" is a file; give a folder.`);
    const env = commandEnvironment(process.env, guard?.settings().environment);
    const { available } = await sandboxStateOf(guard);
    context.signal.throwIfAborted();
    if (guard === undefined || !available || isOutsideApproved(context.metadata)) {
      return (await result(wanted, { spawn: () => new ShellProcess(command, { cwd: place.path, env }) }, context)).text;
    }
    const asked = (reason: string, text: string): ToolInterrupt => {
      const output = `${text}\nThe sandbox may be the cause: ${reason}.`;
      return new ToolInterrupt(outsideQuestion({ command, cwd, reason, output }));
    };
    const inSandbox = {
      command,
      cwd: place.path,
      env,
      roots: workspace.roots(),
      rules: await guard.rules(context),
      hidden: guard.hidden,
      allowedHosts: guard.settings().allowedHosts,
    };
    const sandboxed = await guard.sandbox.prepare(inSandbox, context.signal).catch((error: unknown) => {
      context.signal.throwIfAborted();
      throw asked(`it could not be set up (${messageOf(error)})`, "The command was not run.");
    });
    let gone = Promise.resolve();
    let ended: Promise<unknown> = gone;
    const spawn = (): ShellProcess => {
      const shell = new ShellProcess(sandboxed, { cwd: place.path, env: sandboxed.env });
      gone = shell.gone;
      return shell;
    };
    const onStart = (process: Promise<unknown>) => (ended = process.catch(() => {}));
    try {
      context.signal.throwIfAborted();
      const failure = (output: string) => sandboxed.failure(output);
      const { text, problem } = await result(wanted, { spawn, onStart, failure }, context);
      if (problem !== undefined) throw asked(problem, text);
      return text;
    } finally {
      // What protects the workspace stays until no process of the command runs; an interrupt does not wait for that.
      const closed = Promise.all([gone, ended]).then(() => sandboxed.close());
      if (!context.signal.aborted && !background) await closed;
    }
  }

  /** Runs the command to its end, or starts it in the background. `problem`: why the sandbox may have made it fail. */
  async function result(
    { command, timeoutSeconds, background }: Input,
    shell: Shell,
    context: ToolContext,
  ): Promise<{ readonly text: string; readonly problem?: string | undefined }> {
    if (background) return startInBackground(commands, { command, timeoutSeconds, ...shell }, context);
    const run = new CommandRun(shell.spawn(), context);
    const { text, exit } = await run.result(timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS);
    const problem = hasFailed(exit) ? shell.failure?.(text) : undefined;
    context.exited?.(exit);
    return { text, problem };
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
