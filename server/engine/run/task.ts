import { invalidParams } from "../../../shared/contract/errors.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { Task } from "../../../shared/contract/team.ts";
import { newId } from "../id.ts";

/** The messages that a task is, said by `user`. @throws GavelError `InvalidParams` for a task of no messages. */
export function messagesOfTask(task: Task | readonly ChatMessage[] | undefined, user: string): readonly ChatMessage[] {
  if (task === undefined) return [];
  if (isMessageList(task)) return task;
  if (task.length === 0) {
    throw invalidParams("team/run", [{ path: "task", message: "a task has at least one message" }]);
  }
  return [messageOfTask(user, task)];
}

/** A task as the message of whoever gives it. */
export function messageOfTask(source: string, content: Task): ChatMessage {
  const type = typeof content === "string" ? ("TextMessage" as const) : ("MultiModalMessage" as const);
  return { id: newId("msg"), type, source, content, createdAt: new Date().toISOString() };
}

/** True for messages, as one team gives them to another. */
export function isMessageList(task: Task | readonly ChatMessage[] | undefined): task is readonly ChatMessage[] {
  return Array.isArray(task) && task.length > 0 && task.every((item) => "source" in item);
}
