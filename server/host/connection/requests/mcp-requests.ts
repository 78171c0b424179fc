import { GavelError, invalidParams, messageOf, requestCancelled } from "../../../../shared/contract/errors.ts";
import {
  McpChange,
  McpComplete,
  McpGetPrompt,
  McpList,
  McpOffers,
  McpReadResource,
} from "../../../../shared/contract/requests.ts";
import { loadMcp } from "../../../mcp/index.ts";
import type { Host } from "../../host.ts";
import type { McpServer } from "../../mcp/mcp-server.ts";
import { type BindOptions, bindRequest } from "./bind.ts";

/** The requests about MCP servers: their list, starting and stopping one, and what they offer users. */
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
    const server = await serverOf(host(), McpChange.method, "id", id);
    await (action === "start" ? server.restart(signal) : server.halt());
    return null;
  });
  bindRequest(options, McpOffers, async ({ teamId }) => {
    const servers = await host().mcpServersOf(teamId);
    const offers = await Promise.all(servers.map((server) => server.offers()));
    return {
      servers: servers.map(({ id, spec, state }, at) => {
        const { prompts = [], resources = [], templates = [] } = offers[at] ?? {};
        return {
          server: id,
          name: spec.name,
          state,
          prompts: [...prompts],
          resources: [...resources],
          templates: [...templates],
        };
      }),
    };
  });
  bindRequest(options, McpComplete, async ({ server: id, of, argument, value, given }, signal) => {
    const server = await serverOf(host(), McpComplete.method, "server", id);
    if (server.state !== "running") return { values: [] };
    const { offers } = await server.connected(signal);
    return { values: [...(await offers.complete(of, argument, value, given, signal).catch(() => []))] };
  });
  bindRequest(options, McpGetPrompt, async ({ server: id, prompt, arguments: values }, signal) => {
    const server = await serverOf(host(), McpGetPrompt.method, "server", id);
    return said(server, signal, async () => {
      const { offers } = await server.connected(signal);
      return { messages: [...(await offers.prompt(prompt, values, signal))] };
    });
  });
  bindRequest(options, McpReadResource, async ({ server: id, resource }, signal) => {
    const server = await serverOf(host(), McpReadResource.method, "server", id);
    return said(server, signal, async () => {
      const { offers } = await server.connected(signal);
      const uri = "uri" in resource ? resource.uri : await filledIn(resource.template, resource.arguments);
      return { uri, parts: [...(await offers.resource(uri, signal))] };
    });
  });
}

async function filledIn(template: string, values: Readonly<Record<string, string>>): Promise<string> {
  const { filledTemplate } = await loadMcp();
  return filledTemplate(template, values);
}

/** The server of an id that the host gave, also of a host that was restarted since. @throws GavelError for another one. */
async function serverOf(host: Host, method: string, path: string, id: string): Promise<McpServer> {
  const server = host.mcpServers.find(id) ?? (await host.listMcpServers()).find((one) => one.id === id);
  if (server !== undefined) return server;
  const message = "is not the id of a server; mcp/list and mcp/offers have those that there are";
  throw invalidParams(method, [{ path, message }]);
}

/** What went wrong with a server is the user's to read, and no defect of the host. */
async function said<T>({ spec }: McpServer, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw requestCancelled("the request");
    const { name } = spec;
    const message = messageOf(error);
    const isSentence = /^The (?:MCP server|server|prompt|resource|address) /.test(message);
    const text = isSentence ? message : `The MCP server "${name}" answered: ${message}`;
    throw new GavelError(text, { code: "McpError", server: name });
  }
}
