import * as z from "zod";
import { ContentPart } from "../message.ts";
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

const serverId = z.string().min(1).max(20_000);
const name = z.string().min(1).max(1_000);
const uri = z.string().min(1).max(10_000);
const about = { title: z.string().optional(), description: z.string().optional() };

/** What a prompt or a template wants to be filled in with. */
export const McpArgument = z.object({ name: z.string(), ...about, required: z.boolean() });
export type McpArgument = z.infer<typeof McpArgument>;

/** A prompt that an MCP server offers. */
export const McpPrompt = z.object({ name: z.string(), ...about, arguments: z.array(McpArgument) });
export type McpPrompt = z.infer<typeof McpPrompt>;

/** A resource that an MCP server lists. */
export const McpResource = z.object({ uri: z.string(), name: z.string(), ...about, mimeType: z.string().optional() });
export type McpResource = z.infer<typeof McpResource>;

/** Resources of an MCP server whose URI has parts to fill in. */
export const McpTemplate = z.object({
  template: z.string(),
  name: z.string(),
  ...about,
  mimeType: z.string().optional(),
  arguments: z.array(McpArgument),
});
export type McpTemplate = z.infer<typeof McpTemplate>;

/** What one MCP server offers users; of one that does not run, what it offered last in this host. */
export const McpServerOffers = z.object({
  server: z.string(),
  name: z.string(),
  state: McpServerStatus.shape.state,
  prompts: z.array(McpPrompt),
  resources: z.array(McpResource),
  templates: z.array(McpTemplate),
});
export type McpServerOffers = z.infer<typeof McpServerOffers>;

/**
 * Lists what MCP servers offer users to put into a message, for a team with `teamId` its own servers included. No server is
 * started.
 */
export const McpOffers = request(
  "mcp/offers",
  z.strictObject({ teamId: name.optional() }),
  z.object({ servers: z.array(McpServerOffers) }),
);

/** Values that were chosen for arguments, by name. */
const values = z.record(name, z.string().max(20_000));

/** Asks a server for values of an argument that start as `value` does. None if it has none. */
export const McpComplete = request(
  "mcp/complete",
  z.strictObject({
    server: serverId,
    of: z.union([z.strictObject({ prompt: name }), z.strictObject({ template: uri })]),
    argument: name,
    value: z.string().max(20_000),
    given: values,
  }),
  z.object({ values: z.array(z.string()) }),
);

/** Fills in a prompt of a server, which is started if it does not run and the user allows that. */
export const McpGetPrompt = request(
  "mcp/prompt",
  z.strictObject({ server: serverId, prompt: name, arguments: values }),
  z.object({ messages: z.array(z.object({ role: z.enum(["user", "assistant"]), part: ContentPart })) }),
);

/** Reads a resource of a server, which is started if it does not run and the user allows that. */
export const McpReadResource = request(
  "mcp/resource",
  z.strictObject({
    server: serverId,
    resource: z.union([z.strictObject({ uri }), z.strictObject({ template: uri, arguments: values })]),
  }),
  z.object({ uri: z.string(), parts: z.array(ContentPart) }),
);
