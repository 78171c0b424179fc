import * as z from "zod";
import type { PendingTool } from "../../shared/contract/team.ts";

/** A command line with where and how long it runs. */
export interface CommandInput {
  readonly line: string;
  /** As shown to the user. */
  readonly folder: string;
  readonly timeoutSeconds?: number;
  /** It goes on after its call. */
  readonly background?: true;
}

const Command = z.strictObject({
  command: z.string(),
  cwd: z.string().optional(),
  timeoutSeconds: z.number().optional(),
  background: z.boolean().optional(),
});

/**
 * The input of `runCommand`; undefined with anything else in it: then the whole input has to be shown.
 * @param folder the default working directory.
 */
function commandOf(input: unknown, folder: string): CommandInput | undefined {
  const parsed = Command.safeParse(input);
  if (!parsed.success) return undefined;
  const { command, cwd, timeoutSeconds, background } = parsed.data;
  return {
    line: command,
    folder: cwd === undefined || cwd === "" || cwd === "." ? folder : `${cwd} (in ${folder})`,
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
    ...(background === true ? { background } : {}),
  };
}

const AgentCommand = z.strictObject({ title: z.string(), command: z.string(), cwd: z.string() });

/**
 * The command line of a call that runs one, of Gavel's own tool or by an agent program; undefined for another call, and
 * for one with anything else in its input.
 */
export function commandOfCall(
  { name, input }: Pick<PendingTool, "name" | "input">,
  folder: string,
): CommandInput | undefined {
  if (name === "runCommand") return commandOf(input, folder);
  if (name !== "agent:execute") return undefined;
  const parsed = AgentCommand.safeParse(input);
  return parsed.success ? { line: parsed.data.command, folder: parsed.data.cwd } : undefined;
}
