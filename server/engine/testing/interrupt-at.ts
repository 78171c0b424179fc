import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { InterruptReceipt } from "../../../shared/contract/team.ts";
import type { InterruptOptions } from "../requests.ts";
import type { Team } from "../team/team.ts";

/** Interrupts during the `nth` event of that type; resolves with the receipt. */
export function interruptAt(
  team: Team,
  type: TeamEvent["type"],
  nth = 1,
  options: InterruptOptions = {},
): Promise<InterruptReceipt> {
  let missing = nth;
  return new Promise((resolve, reject) => {
    const unlisten = team.onEvent((event) => {
      if (event.type !== type || --missing > 0) return;
      unlisten();
      team.interrupt(options).then(resolve, reject);
    });
  });
}
