import { parseEnv } from "node:util";
import { McpProgram } from "../../../shared/contract/mcp.ts";
import { safeParse } from "../../../shared/safe-parse.ts";
import { fileText } from "./file-text.ts";
import { envFileOf, type ServerSpec } from "./server-spec.ts";

/**
 * A server with the variables of its `envFile` among its own: they are shown to the user and decide what runs, as those do.
 * It has a problem if they cannot be read.
 */
export async function withEnvFile(spec: ServerSpec): Promise<ServerSpec> {
  const path = envFileOf(spec);
  if (path === undefined || "url" in spec.server) return spec;
  const text = await fileText(path);
  const env = text === undefined ? undefined : { ...parseEnv(text), ...spec.server.env };
  const server = safeParse(McpProgram, { ...spec.server, env });
  if (env !== undefined && server.success) return { ...spec, server: server.data };
  const why = text === undefined ? "does not exist or cannot be read" : "has variables that cannot be used";
  return { ...spec, problem: `was not started, as its envFile ${path} ${why}` };
}
