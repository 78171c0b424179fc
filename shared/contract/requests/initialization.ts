import * as z from "zod";
import { User } from "../people.ts";

/** The client's LSP `initializationOptions`. Without `storagePath`, state is kept in memory only. */
export const InitializationOptions = z.object({
  storagePath: z.string().min(1).optional(),
  /** The address of a store on a server, instead of one in `storagePath`: see docs/DEPLOYMENT.md. It may have a password. */
  store: z.string().min(1).max(2_000).optional(),
  /** The address of a link to workers on other machines: see docs/DEPLOYMENT.md. It may have a password. */
  link: z.string().min(1).max(2_000).optional(),
  /** The user's own folder, for approval rules that apply in every workspace. */
  globalStoragePath: z.string().min(1).optional(),
  /**
   * Has scratch folders, made by the client. A team whose file is in one of them works in that folder, and not in the
   * client's; while the client has no folder open, the other teams work in a scratch folder of the host.
   */
  scratchPath: z.string().min(1).optional(),
  /** The user's own files of MCP servers, in the format of `.vscode/mcp.json`. */
  mcpFiles: z.array(z.string().min(1)).max(10).optional(),
  /** Lets further clients of the same user join this host, by a socket whose place is in `storagePath`. */
  share: z.boolean().optional(),
  user: User.optional(),
  /** Has the host send `team/interruptReceived` when it has aborted what this client interrupts, before that is stored. */
  interruptReceived: z.boolean().optional(),
  /** Given again by a client that reconnects, which then answers for the runs that it has started before. */
  clientId: z.string().min(16).max(100).optional(),
});
export type InitializationOptions = z.infer<typeof InitializationOptions>;
