import { isDurable, type TeamEvent } from "../../shared/contract/event.ts";
import type { TeamEventMessage } from "../host/connection.ts";

/** Events that came while a snapshot was on its way, to be folded in after it. */
export class BufferedEvents {
  #messages: TeamEventMessage[] = [];

  add(message: TeamEventMessage): void {
    this.#messages.push(message);
  }

  /** Chunks from before the snapshot are in its text already; an event that has a seq tells by it whether it is. */
  discardChunks(): void {
    this.#messages = this.#messages.filter(({ event }) => isDurable(event));
  }

  forTeam(teamId: string): readonly TeamEvent[] {
    return this.#messages.filter((message) => message.teamId === teamId).map(({ event }) => event);
  }
}
