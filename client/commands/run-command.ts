import { messageOf } from "../../shared/contract/errors.ts";
import type { CommandId } from "../contributions.ts";
import type { Command, Services } from "./command.ts";
import { commandTable } from "./command-table.ts";

/** Runs a command; what it throws is logged and shown to the user. */
export async function runCommand(id: CommandId, services: Services, argument: unknown): Promise<void> {
  const command: Command = commandTable[id];
  try {
    await command(services, argument);
  } catch (error) {
    services.log.warn(`${id}: ${messageOf(error)}`);
    services.notices.report(error);
  }
}
