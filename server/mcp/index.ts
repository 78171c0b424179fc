/** Clients of servers of the Model Context Protocol, with its official SDK, which is loaded when it is needed. */
export type {
  ListedTool,
  McpConnection,
  ServerAddress,
} from "./connection.ts";
export type { SignInStore } from "./oauth-client.ts";
export type { Offers } from "./offers.ts";
export type { ServerInput } from "./server-file.ts";

/** Loads the SDK, and what works with it. */
export const loadMcp = (): Promise<typeof import("./sdk.ts")> => import("./sdk.ts");
