import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { basename, isAbsolute, resolve } from "node:path";
import type { McpServer } from "../../../shared/contract/mcp.ts";
import type { ServerInput } from "../../mcp/index.ts";
import type { WantedProgram } from "../client-services/program-permissions.ts";

/** A server as a file or the settings describe it. */
export interface ServerSpec {
  readonly name: string;
  /** The URI of the file; left out for the user's own settings. */
  readonly from?: string | undefined;
  readonly server: McpServer;
  /** What the file says of its inputs; one that it does not describe is a secret text. */
  readonly inputs: readonly ServerInput[];
  /** Why it cannot be started, as the rest of a sentence about it. */
  readonly problem?: string;
  /** Where the server works: absolute; the first is its own folder unless it has another. */
  readonly folders: readonly string[];
}

/** Different for servers that could not be one: of another name or file, or in other folders. */
export const specKey = ({ name, from, folders }: ServerSpec): string => JSON.stringify([name, from ?? null, folders]);

/** A server's command or address in one line, for rules and lists. */
export function providerText({ server }: ServerSpec): string {
  return "url" in server ? server.url : [server.command, ...(server.args ?? [])].join(" ");
}

/** What the user is asked to allow. Inputs and variables of the host are not filled in, as they may be secret. */
export function wantedProgram({ name, from, server, folders }: ServerSpec): WantedProgram {
  const fill = (text: string): string => withFolders(text, folders);
  const asked = { use: "mcpServer", name, from } as const;
  if ("url" in server) {
    const { url, headers = {}, oauth } = server;
    return { ...asked, start: { url: fill(url), headers, ...(oauth === undefined ? {} : { oauth }) } };
  }
  const { command, args = [], env = {}, cwd } = server;
  const start = { command: fill(command), args: args.map(fill), folder: folderOf(cwd, folders), environment: env };
  return { ...asked, start };
}

/** The absolute path of the file with more variables; undefined if it has none. */
export function envFileOf({ server, folders }: ServerSpec): string | undefined {
  return "url" in server || server.envFile === undefined ? undefined : folderOf(server.envFile, folders);
}

function folderOf(cwd: string | undefined, folders: readonly string[]): string {
  const [first = homedir()] = folders;
  if (cwd === undefined) return first;
  const path = withFolders(cwd, folders);
  return isAbsolute(path) ? path : resolve(first, path);
}

/** VS Code's variables for folders, filled in. */
function withFolders(text: string, folders: readonly string[]): string {
  const [first = homedir()] = folders;
  return text.replaceAll(/\$\{workspaceFolder\}/g, () => first).replaceAll(/\$\{userHome\}/g, () => homedir());
}

const PLACEHOLDER = /\$\{(?<kind>input|env):(?<id>[^}]{1,300})\}/g;

/** The ids of the inputs that the texts name. */
export const inputIds = (texts: readonly string[]): readonly string[] => [
  ...new Set(
    texts.flatMap((text) =>
      [...text.matchAll(PLACEHOLDER)].flatMap(({ groups }) =>
        groups?.["kind"] === "input" ? [groups["id"] ?? ""] : [],
      ),
    ),
  ),
];

/** The text with what the user entered and the host's variables; a variable that is not set is empty. */
export function withValues(text: string, inputs: ReadonlyMap<string, string>): string {
  return text.replaceAll(PLACEHOLDER, (_, kind: string, id: string) =>
    kind === "input" ? (inputs.get(id) ?? "") : (process.env[id] ?? ""),
  );
}

/** What went wrong with the start of a server and what to do, as a sentence. `why` is the rest of one about the server. */
export function startProblem({ name, from, server }: ServerSpec, why: string): string {
  const where = from === undefined ? "the setting gavel.mcp.servers" : decodeURIComponent(basename(from));
  const notFound = "command" in server && /^ended with code 12[67]\b/.test(why);
  const what = notFound ? `could not be started, as the program ${server.command} was not found` : why;
  const fix = notFound ? `install it, or correct the command in ${where}` : `correct it in ${where}, or see the log`;
  return `The MCP server "${name}" ${what}; ${fix}.`;
}

/** What names a sign-in: what was filled in decides where it goes, and may be secret. */
export const signInName = (url: string, filled: string): string =>
  URL.parse(url)?.href === filled ? url : `${url}#${createHash("sha256").update(filled).digest("base64url")}`;
