import { type OnText, QUESTION, type Talkers } from "./contender.ts";

/** One message of a talk as the agent that is asked sees it: its own are the assistant's. */
export interface Line {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** Asks the agent with that number, given the talk so far. */
export type Ask = (agent: number, talk: readonly Line[], onText: OnText) => Promise<string>;

/** A talk as a plain loop: what a contender with no group chat of its own needs at least. */
export function talkInALoop(agents: number, ask: Ask): Talkers {
  return {
    async talk(turns, onText) {
      const said: string[] = [];
      for (let turn = 0; turn < turns; turn++) {
        const agent = turn % agents;
        const before = said.map(
          (content, at): Line => ({ role: at % agents === agent ? "assistant" : "user", content }),
        );
        said.push(await ask(agent, [{ role: "user", content: QUESTION }, ...before], onText));
      }
      return said;
    },
  };
}
