/** Agent programs of the Agent Client Protocol as participants: what the host uses. */
export { AcpParticipant } from "./acp-participant.ts";
export type { AgentServices, FileSnapshot, ProgramToStart, SessionRecord } from "./agent-services.ts";
export { ToldRecord } from "./told.ts";
