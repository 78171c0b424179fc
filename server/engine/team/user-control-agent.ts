import type { InterruptReceipt, TaskResult } from "../../../shared/contract/team.ts";
import type { SendOptions } from "../requests.ts";
import type { Team } from "./team.ts";

/**
 * The user's hand on a team from code (seed 001, "UserControlAgent"): it takes no turn and stands outside the team, and what
 * it does is done in its name.
 */
export class UserControlAgent {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** Stops the team where it is, with all kept; resolves when nothing moves any more. */
  interrupt(team: Team, reason?: string): Promise<InterruptReceipt> {
    return team.interrupt({ by: this.name, reason });
  }

  /** Says something to one participant, who alone is asked to answer; resolves on the answer. */
  send(team: Team, message: string | readonly string[], to: string, options?: SendOptions): Promise<TaskResult> {
    return team.sendUserMessage(to, typeof message === "string" ? [message] : message, { by: this.name, ...options });
  }
}
