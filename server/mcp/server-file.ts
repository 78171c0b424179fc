import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import * as z from "zod";
import { McpHttpServer, McpProgram, type McpServer, McpServerName } from "../../shared/contract/mcp.ts";
import { isRecord } from "../../shared/json-record.ts";
import { safeParse } from "../../shared/safe-parse.ts";

/** What VS Code asks the user for, to fill in `${input:ID}`. */
export const ServerInput = z.object({
  id: z.string().min(1).max(300),
  type: z.enum(["promptString", "pickString"]),
  description: z.string().max(2_000).optional(),
  default: z.string().max(20_000).optional(),
  password: z.boolean().optional(),
  options: z.array(z.string().max(2_000)).max(500).optional(),
});
export type ServerInput = z.infer<typeof ServerInput>;

interface FoundServer {
  readonly name: string;
  readonly server: McpServer;
}

/** The servers of a file in VS Code's format, and a sentence for each entry that cannot be used. */
export interface ServerFile {
  readonly servers: readonly FoundServer[];
  readonly inputs: readonly ServerInput[];
  readonly problems: readonly string[];
}

const MAX_SERVERS = 200;

/**
 * Reads the text of a `mcp.json`, which is JSON with comments: `servers` as VS Code has them, or `mcpServers` as most other
 * programs. Keys that are not known here are ignored, as VS Code has more.
 */
export function readServerFile(text: string): ServerFile {
  const errors: ParseError[] = [];
  const content = contentOf(text, errors);
  if (content === "too deep")
    return { servers: [], inputs: [], problems: ["The file is not valid JSON: it is nested too deeply."] };
  const [error] = errors;
  if (error !== undefined || !isRecord(content)) {
    const why =
      error === undefined
        ? "it has to be a map of keys"
        : `${printParseErrorCode(error.error)} at character ${error.offset + 1}`;
    return { servers: [], inputs: [], problems: [`The file is not valid JSON: ${why}.`] };
  }
  const problems: string[] = [];
  const listed = { ...recordOf(content["mcpServers"]), ...recordOf(content["servers"]) };
  const servers = Object.entries(listed)
    .slice(0, MAX_SERVERS)
    .flatMap(([name, value]): FoundServer[] => {
      const server = safeParse(McpServerName, name).success ? serverOf(value) : undefined;
      if (server !== undefined) return [{ name, server }];
      const shown = JSON.stringify(name.slice(0, 60));
      problems.push(`The server ${shown} is left out: it needs a command and args, or an http url, and a plain name.`);
      return [];
    });
  const inputs = (Array.isArray(content["inputs"]) ? content["inputs"] : []).flatMap((value: unknown) => {
    const parsed = safeParse(ServerInput, value);
    return parsed.success ? [parsed.data] : [];
  });
  return { servers, inputs, problems };
}

/** The parser calls itself for each level. */
function contentOf(text: string, errors: ParseError[]): unknown {
  try {
    return parse(text, errors, { allowTrailingComma: true });
  } catch (error) {
    if (error instanceof RangeError) return "too deep";
    throw error;
  }
}

/** The keys that are used here, checked; undefined for a server that cannot be used. */
function serverOf(value: unknown): McpServer | undefined {
  if (!isRecord(value)) return undefined;
  const { type, command, args, env, envFile, cwd, url, headers, oauth } = value;
  const isProgram = url === undefined;
  const known = isProgram
    ? { type, command, args, env: textValues(env), envFile, cwd }
    : { type, url, headers, ...clientOf(oauth) };
  const given = Object.fromEntries(Object.entries(known).filter(([, one]) => one !== undefined && one !== null));
  const parsed = safeParse<typeof McpProgram | typeof McpHttpServer>(isProgram ? McpProgram : McpHttpServer, given);
  return parsed.success ? parsed.data : undefined;
}

/** VS Code has more keys in it, and keeps a client's secret elsewhere. */
function clientOf(oauth: unknown): { readonly oauth?: unknown } {
  if (!isRecord(oauth) || oauth["clientId"] === undefined) return {};
  const { clientId, clientSecret } = oauth;
  return { oauth: { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) } };
}

/** VS Code allows numbers as values of variables, and null for none. */
function textValues(env: unknown): unknown {
  if (!isRecord(env)) return env;
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, one]) =>
      one === null ? [] : [[name, typeof one === "number" ? String(one) : one]],
    ),
  );
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
