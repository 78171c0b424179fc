import { join } from "node:path";
import { root } from "../../../scripts/root.ts";
import type { PracticeLine, TeamDefinition } from "../../../shared/contract/definition.ts";
import type { McpServer } from "../../../shared/contract/mcp.ts";
import { roundRobin } from "./teams.ts";

const servers = join(root, "node_modules", "@modelcontextprotocol");

/** The protocol's own server with one of everything, over its standard input and output. */
export const everything: McpServer = {
  command: process.execPath,
  args: [join(servers, "server-everything", "dist", "index.js"), "stdio"],
};

/** The protocol's own server for files, in this folder. */
export const filesystem = (folder: string): McpServer => ({
  command: process.execPath,
  args: [join(servers, "server-filesystem", "dist", "index.js"), folder],
});

/** A server that misbehaves in one way: see `test/fixtures/mcp/server.ts`. */
export const fixture = (how: string): McpServer => ({
  command: process.execPath,
  args: [join(root, "test", "fixtures", "mcp", "server.ts"), how],
});

/** A step that calls a tool. */
export const call = (tool: string, input: Record<string, unknown> = {}): PracticeLine => ({ calls: [{ tool, input }] });

/** A participant, `ann`, who may use these tools and does these steps. */
export function withServers(
  mcpServers: Readonly<Record<string, McpServer>>,
  tools: readonly string[],
  lines: readonly PracticeLine[],
): TeamDefinition {
  const team = roundRobin({
    names: ["ann"],
    model: { provider: "practice", pace: 0, lines: { ann: [...lines] } },
    maxTurns: 1,
    participants: { tools: [...tools] },
  });
  return { ...team, mcpServers: { ...mcpServers } };
}
