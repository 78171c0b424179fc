import type { ChatMessage } from "../../../../shared/contract/message.ts";
import { textOf } from "../../../../shared/contract/message-text.ts";
import { clipText } from "../conversation/clip-text.ts";
import { isDirectedMessage, userMessageTest } from "../conversation/user-messages.ts";
import type { SelectionContext } from "../manager.ts";
import type { Note } from "./magentic-note.ts";

/** The maximum length, in characters, of a stored task, list of facts, or plan. */
export const MAX_TEXT_LENGTH = 20_000;

/** The task: the user's last consecutive messages. @throws Error when there is no message of the user. */
export function findTask(context: SelectionContext, orchestrator: string): string {
  const isUsers = userMessageTest(context, [orchestrator]);
  const end = context.messages.findLastIndex(isUsers) + 1;
  const start = context.messages.slice(0, end).findLastIndex((message) => !isUsers(message)) + 1;
  if (end === 0) throw new Error("The orchestrator has no task. Start the run with a task.");
  return joined(context.messages.slice(start, end));
}

/**
 * The note with the user's new messages to the team added to its task; progress is then evaluated again. What a user
 * participant says in its turn is an answer, not a part of the task.
 */
export function withUserMessages(note: Note, context: SelectionContext, orchestrator: string): Note {
  const { step } = note;
  const answers = step.at === "turn" ? step.chosen.speaker : undefined;
  const isUsers = userMessageTest(context, [orchestrator]);
  const newMessages = context.messages
    .slice(note.heard)
    .filter((message) => isUsers(message) && !isDirectedMessage(message) && message.source !== answers);
  const heard = context.messages.length;
  if (newMessages.length === 0) return { ...note, heard };
  const task = clipText(`${note.task}\n\n${joined(newMessages)}`, MAX_TEXT_LENGTH);
  const isPlanned = step.at !== "facts" && step.at !== "plan" && step.at !== "tell";
  return { ...note, task, heard, step: isPlanned ? { at: "progress", misfits: [] } : step };
}

const joined = (messages: readonly ChatMessage[]): string =>
  clipText(messages.map(textOf).join("\n\n"), MAX_TEXT_LENGTH);
