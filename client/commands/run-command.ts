import type { CommandId } from "../contributions.ts";
import type { Command, Services } from "./command.ts";
import { commandTable } from "./command-table.ts";

/** Runs a command; what it throws is shown to the user. */
export async function runCommand(
  id: CommandId,
  services: Services,
  argument: unknown,
  selected?: unknown,
): Promise<void> {
  const command: Command = commandTable[id];
  services.log.info(`Command ${id}.`);
  try {
    await command(services, argument, selected);
  } catch (error) {
    services.notices.report(error);
  }
}
