import type { InterruptReceipt, TaskResult } from "../../../shared/contract/team.ts";
import type { SendOptions } from "../requests.ts";
import type { Team } from "./team.ts";

/**
 * Controls a team from code, as the user does (the AutoGen interrupt design, DECISIONS.md). It is not a participant and
 * takes no turn; its interrupts and messages carry its name.
 */
export class UserControlAgent {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** Pauses the team, with everything kept; resolves when nothing is running any more. */
  interrupt(team: Team, reason?: string): Promise<InterruptReceipt> {
    return team.interrupt({ by: this.name, reason });
  }

  /** Sends a message to one participant, the only one that then answers; resolves on the answer. */
  send(team: Team, message: string | readonly string[], to: string, options?: SendOptions): Promise<TaskResult> {
    return team.sendUserMessage(to, typeof message === "string" ? [message] : message, { by: this.name, ...options });
  }
}
