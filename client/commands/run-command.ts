import { messageOf } from "../../shared/contract/errors.ts";
import type { Services } from "./command.ts";
import { commandTable } from "./command-table.ts";

/** Does what a command's id stands for. What it throws is told to the user, and logged. */
export async function runCommand(id: string, services: Services, argument: unknown): Promise<void> {
  try {
    const command = commandTable[id];
    if (command === undefined) throw new Error(`${id} has no code; please report this.`);
    await command(services, argument);
  } catch (error) {
    services.log.warn(`${id}: ${messageOf(error)}`);
    services.notices.report(error);
  }
}
