import * as z from "zod";

/** The user's answer carries this in its metadata; nothing else can. */
const Outside = z.object({ outsideSandbox: z.literal(true) });

/** True when the user has answered a {@link outsideQuestion} with Run Outside Sandbox. */
export const isOutsideApproved = (metadata: Readonly<Record<string, unknown>>): boolean =>
  Outside.safeParse(metadata).success;

/** A command that failed because of the sandbox. */
interface SandboxedFailure {
  readonly command: string;
  readonly cwd: string | undefined;
  /** Why, as a clause that starts with "it". */
  readonly reason: string;
  /** The result as it is without an answer. */
  readonly output: string;
}

/** What the user is asked after a command failed because of the sandbox: the data of a tool interrupt. */
export function outsideQuestion({ command, cwd, reason, output }: SandboxedFailure): Readonly<Record<string, unknown>> {
  return {
    kind: "runOutsideSandbox",
    question: `This command failed in the sandbox: ${reason}. Run it again outside the sandbox, with access to all your files and the network?`,
    command,
    ...(cwd === undefined ? {} : { cwd }),
    reason,
    output,
  };
}
