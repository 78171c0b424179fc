import { AgentError } from "../agents/agent-error.ts";

/** The connection could not be made, or broke: another may be better. */
export class LostConnection extends AgentError {}

/** The agent no longer knows the task. */
export class TaskGone extends AgentError {}

/** The user has not allowed that anything is sent there. */
export class NotAllowed extends AgentError {}

/** A text of the agent in a sentence. */
export const plainText = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, " ")
    .trim()
    .slice(0, 500)
    .replace(/\.$/, "");
