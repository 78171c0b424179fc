import * as z from "zod";
import { COMMAND_OUTPUT } from "../../../shared/command-tools.ts";
import { commandEndText } from "../../../shared/text/command-text.ts";
import type { Tool } from "../../engine/tool.ts";
import { defineTool } from "../define-tool.ts";
import { type BackgroundCommands, type KnownCommand, readerOf } from "./background-commands.ts";
import { withLine } from "./command-run.ts";
import { KEPT_PER_END } from "./output-window.ts";

const MAX_WAIT_SECONDS = 600;

const input = z.strictObject({
  id: z.string().min(1).max(200).describe("The id that runCommand gave, such as cmd_12."),
  waitSeconds: z
    .number()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .optional()
    .describe(
      `Waits until there is new output or the command has ended, at most so many seconds (up to ${MAX_WAIT_SECONDS}).`,
    ),
  stop: z.boolean().optional().describe("Ends the command, with every process that it started."),
});

/** Reads the output of a background command of the team, or stops it. */
export function commandOutputTool(commands: BackgroundCommands): Tool {
  return defineTool(undefined, {
    name: COMMAND_OUTPUT,
    description:
      "Returns what a background command of the team (runCommand with background) has printed since you last read it, " +
      `and whether it still runs or how it ended. Long output is cut to its first and last ${KEPT_PER_END / 1024} KB. ` +
      "Use waitSeconds instead of asking again and again.",
    input,
    effects: async () => ({ paths: [], hosts: [] }),
    async run({ id, waitSeconds = 0, stop = false }, context) {
      const known = await find(context.teamId, id);
      const { process } = known;
      const reader = readerOf(context);
      if (stop && known.command.end === undefined) await commands.stop(context.teamId, id, context.participant);
      else if (process !== undefined && waitSeconds > 0) {
        const signals = [context.signal, AbortSignal.timeout(waitSeconds * 1000)];
        await process.changedFor(reader, AbortSignal.any(signals));
        context.signal.throwIfAborted();
      }
      const output = process?.read(reader) ?? "[Its output is not kept any more.]";
      const { command } = await find(context.teamId, id);
      return withLine(output, `${id}: ${stateLine(command.end, process)}`);
    },
  });

  async function find(teamId: string, id: string): Promise<KnownCommand> {
    const all = await commands.list(teamId);
    const found = all.find(({ command }) => command.id === id);
    if (found !== undefined) return found;
    const known = all.map(({ command }) => command.id);
    const names = known.length === 0 ? "it has none" : `they are ${known.join(", ")}`;
    throw new Error(`The team has no background command "${id}"; ${names}.`);
  }
}

function stateLine(end: KnownCommand["command"]["end"], process: KnownCommand["process"]): string {
  // Its end is recorded right after it.
  const known = end ?? (process?.exit === undefined ? undefined : { exit: process.exit });
  if (known === undefined) return "still running";
  const problem = process?.sandboxProblem;
  return `${commandEndText(known)}${problem === undefined ? "" : `. The sandbox may be the cause: ${problem}`}`;
}
