import type { ChatMessage } from "../../../shared/contract/message.ts";
import { textOf } from "../../../shared/contract/message-text.ts";

/** For the messages of a nested team: what concerns the whole team. */
export interface NestedTurns {
  /** True for the last message of a turn that the team has taken in the outer team. */
  readonly endsTurn: (message: ChatMessage) => boolean;
  /** True for a message that the user sent to the team. */
  readonly isToTeam: (message: ChatMessage) => boolean;
}

/**
 * The whole text of a message. After an interrupt its source continues without repeating anything, so the text includes the
 * partials before it. Answers to directed messages in between are skipped.
 */
export function continuedText(messages: readonly ChatMessage[], message: ChatMessage, nested?: NestedTurns): string {
  return cutText(messages, message.source, nested, messages.lastIndexOf(message)) + textOf(message);
}

/** What `source` had said when it was cut short, if its message at `end` continues that; else empty. */
export function cutText(
  messages: readonly ChatMessage[],
  source: string,
  nested?: NestedTurns,
  end = messages.length,
): string {
  let text = "";
  /** The complete turn that is being passed. It is skipped if the directed message that it answers comes before it. */
  let passing: Passing | undefined;
  for (let at = end - 1; at >= 0; at--) {
    const message = messages[at];
    const mark = message && markOf(message, source, nested);
    if (message === undefined || mark === undefined || (passing === "team" && mark.of !== "team")) continue;
    if (mark.kind === "partial") {
      if (passing === undefined) text = textOf(message) + text;
    } else if (mark.kind === "end") {
      if (passing !== undefined) break;
      passing = mark.of;
    } else {
      // Without a complete turn in between, the message at `end` is the answer.
      if (passing !== mark.of) break;
      passing = undefined;
    }
  }
  return text;
}

/** Of the source itself, or of the whole team around it. */
type Passing = "source" | "team";

/** What a message means for what `source` says next: the end of a turn, a message that it answers, or a part of it. */
function markOf(
  message: ChatMessage,
  source: string,
  nested: NestedTurns | undefined,
): { readonly kind: "end" | "question" | "partial"; readonly of: Passing } | undefined {
  if (nested?.endsTurn(message)) return { kind: "end", of: "team" };
  if (nested?.isToTeam(message)) return { kind: "question", of: "team" };
  if (message.source === source) return { kind: message.partial ? "partial" : "end", of: "source" };
  return message.metadata?.["to"] === source ? { kind: "question", of: "source" } : undefined;
}
