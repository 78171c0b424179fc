import { commands } from "vscode";
import type { CommandId } from "./contributions.ts";

/** Runs one of Gavel's commands as the palette does, so that its failure is shown in one place. */
export async function runGavelCommand(id: CommandId, argument?: unknown): Promise<void> {
  await commands.executeCommand(id, argument);
}
