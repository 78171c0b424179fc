import type { ClientRequests } from "../client-services/client-requests.ts";
import type { Clients } from "./clients.ts";

/** Requests to the client whose user acts. */
export const currentRequests = (clients: Clients): ClientRequests => ({
  send: (message, params, signal) => clients.now.requests.send(message, params, signal),
});
