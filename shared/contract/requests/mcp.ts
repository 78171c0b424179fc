import * as z from "zod";
import { request } from "../message-type.ts";
import { nothing } from "./params.ts";

/** An MCP server as it is now. */
export const McpServerStatus = z.object({
  id: z.string(),
  name: z.string(),
  from: z.string().optional(),
  provider: z.string(),
  state: z.enum(["stopped", "starting", "running", "failed"]),
  problem: z.string().optional(),
  tools: z.array(z.string()),
});
export type McpServerStatus = z.infer<typeof McpServerStatus>;

/** Lists the MCP servers that teams can use: those of `.vscode/mcp.json`, of the settings, and of teams that used them. */
export const McpList = request("mcp/list", z.strictObject({}), z.object({ servers: z.array(McpServerStatus) }));

/** Starts a server, again if it runs, or stops it until it is started again. The answer comes when that is done. */
export const McpChange = request(
  "mcp/change",
  z.strictObject({ id: z.string().min(1).max(20_000), action: z.enum(["start", "stop"]) }),
  nothing,
);
