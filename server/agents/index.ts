/** What agents of every protocol have in common: what they are told of the conversation. */

export { AgentError } from "./agent-error.ts";
export type { AgentFinding } from "./agent-finding.ts";
export { withHandoff } from "./handoff-line.ts";
export { type AgentRole, type PromptBlock, promptBlocks } from "./prompt.ts";
export type { SessionRecord } from "./session-record.ts";
export { type Conversation, Told } from "./told.ts";
