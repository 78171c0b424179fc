import { isDurable, type TeamEvent } from "../../shared/contract/event.ts";
import type { TeamEventMessage } from "../host/connection.ts";

/** Events received while a snapshot is requested, to be folded in after it. */
export class BufferedEvents {
  #messages: TeamEventMessage[] = [];

  add(message: TeamEventMessage): void {
    this.#messages.push(message);
  }

  /** Discards chunks from before the snapshot, which has their text. Other events have a `seq` to compare with it. */
  discardChunks(): void {
    this.#messages = this.#messages.filter(({ event }) => isDurable(event));
  }

  forTeam(teamId: string): readonly TeamEvent[] {
    return this.#messages.filter((message) => message.teamId === teamId).map(({ event }) => event);
  }
}
