import type { Address, Topic } from "../../engine/index.ts";

/**
 * The agents of a worker. What they are sent and answer has the shapes of `turn-data.ts`, and is checked where it arrives:
 * it comes from another process.
 */
export const workerTurns = (node: string): Address<unknown, unknown> => ({ id: "worker/turns", node });
/** What the user changed of a participant's plan, during its turn. */
export const workerPlans = (node: string): Address<unknown, unknown> => ({ id: "worker/plans", node });
export const workerTools = (node: string): Address<unknown, unknown> => ({ id: "worker/tools", node });
export const workerPreviews = (node: string): Address<unknown, unknown> => ({ id: "worker/previews", node });
export const workerModels = (node: string): Address<unknown, unknown> => ({ id: "worker/models", node });

/** Where one turn reports to at its host: `turn` is known to its worker alone. */
export const turnEvents = ({ node, turn }: HostTurn): Topic<unknown> => ({ id: `${turn}/events`, node });
export const turnRequests = ({ node, turn }: HostTurn): Address<unknown, unknown> => ({ id: `${turn}/requests`, node });
export const turnCalls = ({ node, turn }: HostTurn): Address<unknown, unknown> => ({ id: `${turn}/calls`, node });
export const turnOlderPart = ({ node, turn }: HostTurn): Address<unknown, unknown> => ({ id: `${turn}/older`, node });
export const turnSummary = ({ node, turn }: HostTurn): Address<unknown, unknown> => ({ id: `${turn}/summary`, node });

export interface HostTurn {
  readonly node: string;
  readonly turn: string;
}
