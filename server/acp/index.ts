/** Agent programs of the Agent Client Protocol as participants: what the host uses. */
export { AcpParticipant } from "./acp-participant.ts";
export type { AgentServices, FileSnapshot, ProgramToStart } from "./agent-services.ts";

export const checkProgram: typeof import("./check-program.ts").checkProgram = async (place) =>
  (await import("./sdk.ts")).checkProgram(place);
