import type { ToolContext } from "../../engine/tool.ts";
import { type BackgroundCommands, readerOf } from "./background-commands.ts";
import { BackgroundProcess } from "./background-process.ts";
import { exitLine, withLine } from "./command-run.ts";
import { LiveOutput } from "./live-output.ts";
import type { ShellProcess } from "./shell-process.ts";

/** How long a call waits for the first output of its background command, unless that ends sooner, in milliseconds. */
const FIRST_OUTPUT_MS = 2_000;

export interface CommandToRun {
  readonly command: string;
  readonly timeoutSeconds: number | undefined;
  /** Starts the shell. */
  readonly spawn: () => ShellProcess;
  /** Called with what resolves when the command has ended. */
  readonly onStart?: (ended: Promise<unknown>) => void;
  readonly failure?: (output: string) => string | undefined;
}

/** What a call of `runCommand` with `background` gives; `problem` if the command ended because of the sandbox. */
interface Started {
  readonly text: string;
  readonly problem?: string | undefined;
}

/** Starts a command that goes on after the call, and waits a moment for its first output. */
export async function startInBackground(
  commands: BackgroundCommands | undefined,
  { command, timeoutSeconds, spawn, onStart, failure }: CommandToRun,
  context: ToolContext,
): Promise<Started> {
  if (commands === undefined) throw new Error("This program runs no commands in the background; leave background out.");
  const live = new LiveOutput((delta) => context.output(delta));
  let isOpen = true;
  const { id, process } = await commands.start(context, command, () => {
    context.signal.throwIfAborted();
    const show = (text: string): void => (isOpen ? live.push(text) : undefined);
    return new BackgroundProcess(spawn(), { show, timeoutSeconds, ...(failure === undefined ? {} : { failure }) });
  });
  onStart?.(process.ended);
  try {
    await firstMoments(process, context.signal);
  } finally {
    isOpen = false;
  }
  const output = process.read(readerOf(context));
  const { exit } = process;
  if (exit !== undefined) {
    context.exited?.(exit);
    return { text: withLine(output, exitLine(exit)), problem: process.sandboxProblem };
  }
  const goesOn = `The command goes on in the background as ${id}: read its new output, or stop it, with commandOutput.`;
  if (context.signal.aborted) throw new Error(withLine(output, goesOn));
  return { text: withLine(output, goesOn) };
}

/** Waits until the command has ended, a moment has passed, or the call is interrupted. @throws Error if it cannot start. */
async function firstMoments(process: BackgroundProcess, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, FIRST_OUTPUT_MS);
  const onAbort = (): void => resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) resolve();
  try {
    await Promise.race([process.ended, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
