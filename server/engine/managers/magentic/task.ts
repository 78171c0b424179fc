import type { ChatMessage } from "../../../../shared/contract/message.ts";
import { textOf } from "../../../../shared/contract/message-text.ts";
import type { Floor } from "../manager.ts";
import { clip } from "../talk/clip.ts";
import { isDirected, userTest } from "../talk/user-messages.ts";
import type { Note } from "./note.ts";

/** How many characters of a task, of facts, of a plan are kept. */
export const KEPT_TEXT = 20_000;

/** What the user asks for: the user's last messages, those that stand together. @throws when the user has said nothing. */
export function taskOf(floor: Floor, orchestrator: string): string {
  const isUsers = userTest(floor, [orchestrator]);
  const end = floor.messages.findLastIndex(isUsers) + 1;
  const start = floor.messages.slice(0, end).findLastIndex((message) => !isUsers(message)) + 1;
  if (end === 0) throw new Error("The orchestrator has no task; give the run one.");
  return joined(floor.messages.slice(start, end));
}

/**
 * The note with what the user has told the team meanwhile added to the task: the progress is then judged anew. What a user
 * participant says in its turn is an answer, and no part of the task.
 */
export function withNews(note: Note, floor: Floor, orchestrator: string): Note {
  const { step } = note;
  const answers = step.at === "turn" ? step.chosen.speaker : undefined;
  const isUsers = userTest(floor, [orchestrator]);
  const news = floor.messages
    .slice(note.heard)
    .filter((message) => isUsers(message) && !isDirected(message) && message.source !== answers);
  const heard = floor.messages.length;
  if (news.length === 0) return { ...note, heard };
  const task = clip(`${note.task}\n\n${joined(news)}`, KEPT_TEXT);
  const isPlanned = step.at !== "facts" && step.at !== "plan" && step.at !== "tell";
  return { ...note, task, heard, step: isPlanned ? { at: "progress", misfits: [] } : step };
}

const joined = (messages: readonly ChatMessage[]): string => clip(messages.map(textOf).join("\n\n"), KEPT_TEXT);
