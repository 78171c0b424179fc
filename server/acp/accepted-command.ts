import type { AgentServices } from "./agent-services.ts";
import type { LiveCall } from "./live-call.ts";

/**
 * Where the user has just accepted exactly this command, which the agent had asked about and now has us run: the folder of
 * the command. The text and the folder have to be the same, and one answer is for one run; a rule is no such answer.
 */
export async function acceptedFolder(
  { runCommand, realPath }: Pick<AgentServices, "runCommand" | "realPath">,
  input: unknown,
  calls: Iterable<LiveCall>,
): Promise<string | undefined> {
  const accepted = [...calls].filter(({ acceptedCommand }) => acceptedCommand !== undefined);
  if (accepted.length === 0) return undefined;
  try {
    const { command } = (await runCommand.effects?.(input)) ?? {};
    for (const call of accepted) {
      const { line, folder } = call.acceptedCommand ?? {};
      if (folder === undefined || line !== command?.line || (await realPath(folder)) !== command?.folder) continue;
      call.useAccepted();
      return command.folder;
    }
  } catch {
    // The call itself says what is wrong.
  }
  return undefined;
}
