import { type ConversationContender, type OnText, QUESTION } from "./contender.ts";

/** One message of the history as the asked agent sees it: its own have the role `assistant`. */
export interface LoopMessage {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** Asks the agent with that index, with the history so far. */
export type AskAgent = (agent: number, history: readonly LoopMessage[], onText: OnText) => Promise<string>;

/** A conversation as a plain loop, for a contender that has no group chat. */
export function conversationLoop(agents: number, ask: AskAgent): ConversationContender {
  return {
    async converse(turns, onText) {
      const said: string[] = [];
      for (let turn = 0; turn < turns; turn++) {
        const agent = turn % agents;
        const before = said.map(
          (content, at): LoopMessage => ({ role: at % agents === agent ? "assistant" : "user", content }),
        );
        said.push(await ask(agent, [{ role: "user", content: QUESTION }, ...before], onText));
      }
      return said;
    },
  };
}
