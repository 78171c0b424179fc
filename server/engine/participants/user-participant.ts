import type { Participant, TurnOutcome } from "./participant.ts";

/**
 * A participant that the user speaks for (AutoGen's UserProxyAgent). Nothing waits in memory for the user: its turn ends the
 * run, and the next task is its message.
 */
export class UserParticipant implements Participant {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  async takeTurn(): Promise<TurnOutcome> {
    return { kind: "awaitingUser", participant: this.name };
  }
}
