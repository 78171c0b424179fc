import type { ChatMessage } from "../../../../shared/contract/message.ts";
import { textOf } from "../../../../shared/contract/message-text.ts";
import { clipText } from "../conversation/clip-text.ts";
import { isDirectedMessage, userMessageTest } from "../conversation/user-messages.ts";
import type { SelectionContext } from "../manager.ts";
import type { Note } from "./magentic-note.ts";

/** How many characters of a task, of facts, of a plan are kept. */
export const MAX_TEXT_LENGTH = 20_000;

/** What the user asks for: the user's last messages, those that stand together. @throws when the user has said nothing. */
export function findTask(floor: SelectionContext, orchestrator: string): string {
  const isUsers = userMessageTest(floor, [orchestrator]);
  const end = floor.messages.findLastIndex(isUsers) + 1;
  const start = floor.messages.slice(0, end).findLastIndex((message) => !isUsers(message)) + 1;
  if (end === 0) throw new Error("The orchestrator has no task; give the run one.");
  return joined(floor.messages.slice(start, end));
}

/**
 * The note with what the user has told the team meanwhile added to the task: the progress is then judged anew. What a user
 * participant says in its turn is an answer, and no part of the task.
 */
export function withUserMessages(note: Note, floor: SelectionContext, orchestrator: string): Note {
  const { step } = note;
  const answers = step.at === "turn" ? step.chosen.speaker : undefined;
  const isUsers = userMessageTest(floor, [orchestrator]);
  const news = floor.messages
    .slice(note.heard)
    .filter((message) => isUsers(message) && !isDirectedMessage(message) && message.source !== answers);
  const heard = floor.messages.length;
  if (news.length === 0) return { ...note, heard };
  const task = clipText(`${note.task}\n\n${joined(news)}`, MAX_TEXT_LENGTH);
  const isPlanned = step.at !== "facts" && step.at !== "plan" && step.at !== "tell";
  return { ...note, task, heard, step: isPlanned ? { at: "progress", misfits: [] } : step };
}

const joined = (messages: readonly ChatMessage[]): string =>
  clipText(messages.map(textOf).join("\n\n"), MAX_TEXT_LENGTH);
