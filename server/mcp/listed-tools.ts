import type { Tool as McpTool } from "@modelcontextprotocol/client";
import { sizeProblem } from "../../shared/size-problem.ts";
import { MCP_LIMITS } from "./limits.ts";
import { modelSchema } from "./model-schema.ts";

/** A tool as a server lists it, within the limits. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  /** As models take it. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** As the SDK wants it with a call. */
  readonly definition: McpTool;
}

/** Without what has a meaning in patterns of rules. */
const LEGAL_NAME = /^[^\p{C}\s*?[\]{}\\]+$/u;

/** The tools that can be used; a line for the log says which cannot. Of tools with the same name the first is used. */
export function listedTools(tools: readonly McpTool[], log: (line: string) => void): readonly ListedTool[] {
  const listed = new Map<string, ListedTool>();
  const left: string[] = [];
  for (const definition of tools.slice(0, MCP_LIMITS.tools)) {
    const { name, description = definition.title ?? "", inputSchema } = definition;
    const isLegal = name.length <= MCP_LIMITS.toolName && LEGAL_NAME.test(name);
    const schema = isSmall(inputSchema) ? modelSchema(inputSchema) : undefined;
    if (!isLegal || schema === undefined || listed.has(name)) {
      left.push(JSON.stringify(name.slice(0, 60)));
      continue;
    }
    const { outputSchema, ...rest } = definition;
    listed.set(name, {
      name,
      description: description.slice(0, MCP_LIMITS.description),
      inputSchema: schema,
      definition: isSmall(outputSchema) ? definition : rest,
    });
  }
  const more = tools.length - MCP_LIMITS.tools;
  if (more > 0) log(`It has ${more} tools more than the ${MCP_LIMITS.tools} that are used; start it with fewer.`);
  if (left.length > 0)
    log(`These tools are left out, as their names or schemas cannot be used: ${left.slice(0, 10).join(", ")}.`);
  return [...listed.values()];
}

/** Deep ones first: they would overflow the stack of what writes them as JSON. */
const isSmall = (schema: unknown): boolean =>
  sizeProblem(schema, { depth: MCP_LIMITS.schemaDepth, characters: MCP_LIMITS.schema }) === undefined &&
  JSON.stringify(schema ?? null).length <= MCP_LIMITS.schema;
