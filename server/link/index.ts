/**
 * What carries messages between hosts and workers: the link, the nodes on it, and the runtime and the streams across them.
 */
export { type LinkAddress, linkAddress } from "./address.ts";
export { Channels, MOST_OPENED } from "./channels/channels.ts";
export { secureAccepted, secureOpened } from "./channels/secret-stream.ts";
export type { Link } from "./link.ts";
export { isNodeId } from "./node/node.ts";
export { LinkRuntime, LostError } from "./runtime/link-runtime.ts";
export { asData, type RemoteError } from "./runtime/remote-error.ts";
export * from "./workers/addresses.ts";
export { offersSubject, WORKER_NAME, WORKER_QUEUE, WorkerOffers } from "./workers/offers.ts";
export { registerService } from "./workers/services.ts";
export * from "./workers/turn-data.ts";
export { turnOf } from "./workers/turn-of.ts";
