import * as z from "zod";

/** A command line with where and how long it runs. */
export interface CommandInput {
  readonly line: string;
  /** As shown to the user. */
  readonly folder: string;
  readonly timeoutSeconds?: number;
}

const Command = z.strictObject({
  command: z.string(),
  cwd: z.string().optional(),
  timeoutSeconds: z.number().optional(),
});

/**
 * The input of `runCommand`; undefined with anything else in it: then the whole input has to be shown.
 * @param folder the default working directory.
 */
export function commandOf(input: unknown, folder: string): CommandInput | undefined {
  const parsed = Command.safeParse(input);
  if (!parsed.success) return undefined;
  const { command, cwd, timeoutSeconds } = parsed.data;
  return {
    line: command,
    folder: cwd === undefined || cwd === "" || cwd === "." ? folder : `${cwd} (in ${folder})`,
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
  };
}
