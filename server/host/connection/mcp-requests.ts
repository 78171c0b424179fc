import { invalidParams } from "../../../shared/contract/errors.ts";
import { McpChange, McpList } from "../../../shared/contract/requests.ts";
import type { Host } from "../host.ts";
import { type BindOptions, bindRequest } from "./bind.ts";

/** The requests about MCP servers: their list, and starting and stopping one. */
export function bindMcpRequests(options: BindOptions, host: () => Host): void {
  bindRequest(options, McpList, async () => {
    const servers = await host().listMcpServers();
    return {
      servers: servers.map(({ id, spec, provider, state, problem, tools }) => ({
        id,
        name: spec.name,
        ...(spec.from === undefined ? {} : { from: spec.from }),
        provider,
        state,
        ...(problem === undefined ? {} : { problem }),
        tools: tools.map(({ declaration }) => declaration.name),
      })),
    };
  });
  bindRequest(options, McpChange, async ({ id, action }, signal) => {
    const server = (await host().listMcpServers()).find((one) => one.id === id);
    if (server === undefined) {
      const message = "is not the id of a server; mcp/list has those that there are";
      throw invalidParams(McpChange.method, [{ path: "id", message }]);
    }
    await (action === "start" ? server.restart(signal) : server.halt());
    return null;
  });
}
