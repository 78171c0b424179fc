import { workspace } from "vscode";
import type { Delivery } from "../common/page-messages.ts";

/** The setting of what Enter does while the team runs. */
export const WHILE_RUNNING = "gavel.composer.whileRunning";

const deliveries: Readonly<Record<string, Delivery>> = { queue: "queue", steer: "steer", stopAndSend: "now" };

/** What Enter does while the team runs, as the user has set it. */
export function whileRunning(): Delivery {
  return deliveries[workspace.getConfiguration().get<string>(WHILE_RUNNING) ?? ""] ?? "steer";
}
