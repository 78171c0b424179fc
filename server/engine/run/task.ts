import { invalidParams } from "../../../shared/contract/errors.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { Task } from "../../../shared/contract/team.ts";
import { newId } from "../id.ts";

/** The messages of a task given by `user`. @throws GavelError `InvalidParams` for an empty list. */
export function messagesOfTask(task: Task | readonly ChatMessage[] | undefined, user: string): readonly ChatMessage[] {
  if (task === undefined) return [];
  if (isMessageList(task)) return task;
  if (task.length === 0) {
    throw invalidParams("team/run", [{ path: "task", message: "a task has at least one message" }]);
  }
  return [messageOfTask(user, task)];
}

/** A task as a message of `source`, which may hand over to another participant. */
export function messageOfTask(source: string, content: Task, handoff?: string): ChatMessage {
  const plain = typeof content === "string" ? "TextMessage" : "MultiModalMessage";
  return {
    id: newId("msg"),
    type: handoff === undefined ? plain : "HandoffMessage",
    source,
    content,
    createdAt: new Date().toISOString(),
    ...(handoff === undefined ? {} : { metadata: { target: handoff } }),
  };
}

/** True for a list of messages, as a team passes to a nested team. */
export function isMessageList(task: Task | readonly ChatMessage[] | undefined): task is readonly ChatMessage[] {
  return Array.isArray(task) && task.length > 0 && task.every((item) => "source" in item);
}
