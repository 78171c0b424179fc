import type { ContextItem, ModelRequest } from "../../server/engine/model.ts";
import type { Line } from "./watch.ts";

/** How a user's message begins that wants an answer of its own. Any other is heard, and the script goes on. */
export const QUESTION = "Tell me:";

/** How an answer to such a message begins. */
export const ANSWER = "You asked.";

/** How a line begins that a participant says when its script is over. */
export const MORE = "Nothing more.";

/**
 * What a participant says and does, step by step: the next line is the one after those that it is shown as its own, whatever
 * came between. Partials do not count, nor do answers to the user's questions; a handoff that was cut short is made again. After the
 * script it says `end`.
 */
export function scripted(lines: readonly Line[], end = ""): (request: ModelRequest) => Line {
  return ({ items, participant }) => {
    if (isAsked(items, participant)) return { say: ANSWER };
    const done = items.filter((item) => item.role === "assistant" && !item.partial && item.content !== ANSWER);
    const cut = items.filter((item) => item.role === "tool" && item.name.startsWith("transfer_to_") && item.isError);
    return lines[done.length - cut.length] ?? { say: `${MORE} ${end}` };
  };
}

/** True when the user's question to this participant stands unanswered. */
export function isAsked(items: readonly ContextItem[], participant: string): boolean {
  const last = items.findLast(
    (item) =>
      (item.role === "assistant" && item.content === ANSWER) ||
      (item.role === "user" && item.directedTo === participant && String(item.content).startsWith(QUESTION)),
  );
  return last?.role === "user";
}
