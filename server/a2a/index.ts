/** Agents of the Agent2Agent protocol as participants: what the host uses. */
export { A2aParticipant } from "./a2a-participant.ts";
export type { RemoteAccess, RemoteServices } from "./remote-services.ts";

export const checkCard: typeof import("./check-card.ts").checkCard = async (place, signal) =>
  (await import("./sdk.ts")).checkCard(place, signal);
