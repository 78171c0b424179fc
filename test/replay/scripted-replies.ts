import type { ContextItem, ModelRequest } from "../../server/engine/model.ts";
import type { ScriptedReply } from "./team-observer.ts";

/** The start of a user's message that asks for an answer of its own. After any other message, the script continues. */
export const DIRECTED_QUESTION = "Tell me:";

/** The start of an answer to such a message. */
export const ANSWER = "You asked.";

/** The start of what a participant says after the end of its script. */
export const SCRIPT_ENDED = "Nothing more.";

/**
 * A participant's replies, step by step: the next one follows from how many of its own replies are in its input. Partials
 * and answers to the user's questions do not count; an interrupted handoff is repeated. After the script it says `end`.
 */
export function scriptedReplies(lines: readonly ScriptedReply[], end = ""): (request: ModelRequest) => ScriptedReply {
  return ({ items, participant }) => {
    if (isAsked(items, participant)) return { say: ANSWER };
    const done = items.filter((item) => item.role === "assistant" && !item.partial && item.content !== ANSWER);
    const cut = items.filter((item) => item.role === "tool" && item.name.startsWith("transfer_to_") && item.isError);
    return lines[done.length - cut.length] ?? { say: `${SCRIPT_ENDED} ${end}` };
  };
}

/** True if the user's last question to this participant has no answer yet. */
export function isAsked(items: readonly ContextItem[], participant: string): boolean {
  const last = items.findLast(
    (item) =>
      (item.role === "assistant" && !item.partial && item.content === ANSWER) ||
      (item.role === "user" && item.directedTo === participant && String(item.content).startsWith(DIRECTED_QUESTION)),
  );
  return last?.role === "user";
}
