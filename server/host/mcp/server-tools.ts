import * as z from "zod";
import type { ToolDeclaration } from "../../../shared/contract/definition.ts";
import { safeParse } from "../../../shared/safe-parse.ts";
import { preparedBy, schemaCheck, type Tool } from "../../engine/index.ts";
import type { ListedTool, McpConnection } from "../../mcp/index.ts";

/** What a tool needs of its server. */
interface ToolServer {
  readonly spec: { readonly name: string };
  readonly provider: string;
  /** Its connection, once it runs. @throws Error that says why it does not. */
  connected(signal: AbortSignal): Promise<McpConnection>;
}

/**
 * A tool of a server. Every call asks unless a rule allows it, whatever the server says of the tool: nothing holds it to
 * that.
 */
export function serverTool(server: ToolServer, tool: ListedTool): Tool {
  const { description, inputSchema } = tool;
  const declaration: ToolDeclaration = {
    name: `${server.spec.name}/${tool.name}`,
    description,
    inputSchema: { ...inputSchema },
    approval: "ask",
  };
  return {
    ...declaredTool(declaration),
    provider: server.provider,
    run: async (input, { signal, output }) =>
      (await server.connected(signal)).callTool(tool, input, { signal, progress: output }),
  };
}

/** A tool that runs elsewhere, as declared there: every call asks, and its schema checks inputs if it can be used. */
export const declaredTool = (declared: ToolDeclaration): Pick<Tool, "declaration" | "prepare"> => {
  const declaration = { ...declared, approval: "ask" as const };
  return { declaration, prepare: isUsable(declaration.inputSchema) ? preparedBy(declaration) : (input) => input };
};

const ResourceInput = z.strictObject({ uri: z.string().min(1).max(10_000) });

/** Tools to list and read the resources of a server. */
export function resourceTools(server: ToolServer): readonly Tool[] {
  const { name } = server.spec;
  return [
    {
      declaration: {
        name: `${name}/listResources`,
        description: `Lists the resources of the MCP server ${name}, with their URIs.`,
        inputSchema: { type: "object", properties: {}, additionalProperties: false },
        approval: "ask",
      },
      provider: server.provider,
      run: async (_, { signal }) => (await server.connected(signal)).offers.resourceList(signal),
    },
    {
      declaration: {
        name: `${name}/readResource`,
        description: `Reads a resource of the MCP server ${name} by its URI.`,
        inputSchema: {
          type: "object",
          properties: { uri: { type: "string", description: "The URI, as listResources or a result gives it." } },
          required: ["uri"],
          additionalProperties: false,
        },
        approval: "ask",
      },
      provider: server.provider,
      prepare: (input) => {
        const parsed = safeParse(ResourceInput, input);
        if (!parsed.success) throw new Error(`The input of ${name}/readResource is not valid: it needs a uri.`);
        return parsed.data;
      },
      run: async (input, { signal }) => {
        const { uri } = ResourceInput.parse(input);
        return (await server.connected(signal)).offers.resourceOutput(uri, signal);
      },
    },
  ];
}

/** A call of a tool of a server that does not run yet, such as one that waited while the host was restarted. */
export function unknownTool(
  name: string,
  ready: (signal: AbortSignal) => Promise<void>,
  find: () => Tool | undefined,
  problem: () => string | undefined,
): Tool {
  return {
    declaration: { name, description: "", inputSchema: { type: "object" }, approval: "ask" },
    run: async (input, context) => {
      await ready(context.signal);
      const tool = find();
      if (tool === undefined) throw new Error(problem() ?? `There is no tool "${name}" any more.`);
      return tool.run(tool.prepare?.(input) ?? input, context);
    },
  };
}

/** A schema that cannot be checked here is left to the server. */
function isUsable(schema: ToolDeclaration["inputSchema"]): boolean {
  try {
    schemaCheck(schema)({});
    return true;
  } catch {
    return false;
  }
}
