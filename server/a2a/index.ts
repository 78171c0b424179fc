/** Agents of the Agent2Agent protocol as participants: what the host uses. */
export { A2aParticipant } from "./a2a-participant.ts";
export type { RemoteServices } from "./remote-services.ts";
