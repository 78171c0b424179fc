import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import type { Tool, ToolSource } from "../../engine/index.ts";
import { loadMcp } from "../../mcp/index.ts";
import { programDigest } from "../client-services/program-permissions.ts";
import { fileText } from "./file-text.ts";
import { McpServer, type McpServices } from "./mcp-server.ts";
import { withEnvFile } from "./server-files.ts";
import { type ServerSpec, specKey, wantedProgram } from "./server-spec.ts";
import { unknownTool } from "./server-tools.ts";

export interface McpServersOptions extends McpServices {
  /** The value of the setting `gavel.mcp.servers`, once it is known. */
  readonly ownServers: () => Promise<unknown>;
  /** The user's own files of servers, as absolute paths. */
  readonly ownFiles: readonly string[];
}

/** Where a team is that uses servers. */
export interface ServerPlace {
  readonly uri: string | undefined;
  readonly folders: () => readonly string[];
}

type OwnServers = Pick<TeamDefinition, "name" | "mcpServers">;

const SETTING = "The setting gavel.mcp.servers";

/** The servers that teams use: those of team files, of `.vscode/mcp.json`, and of the user's settings, in this order. */
export class McpServers {
  readonly #options: McpServersOptions;
  readonly #servers = new Map<string, McpServer>();
  /** What was said of each file last. */
  readonly #said = new Map<string | undefined, string>();

  constructor(options: McpServersOptions) {
    this.#options = options;
    options.programs.onForgotten((digest) => {
      for (const server of this.all) if (programDigest(wantedProgram(server.spec)) === digest) void server.stop();
    });
  }

  get all(): readonly McpServer[] {
    return [...this.#servers.values()];
  }

  /** The tools that a name such as `server/tool` or `server/*` stands for. */
  sourceFor(wanted: string, definition: TeamDefinition, place: ServerPlace): ToolSource {
    let server: McpServer | undefined;
    const isWanted = (name: string): boolean => {
      if (!wanted.endsWith("/*")) return name === wanted;
      return server === undefined ? name.startsWith(wanted.slice(0, -1)) : true;
    };
    const tools = (): readonly Tool[] => (server?.tools ?? []).filter(({ declaration }) => isWanted(declaration.name));
    const find = (name: string): Tool | undefined => tools().find(({ declaration }) => declaration.name === name);
    let missing: string | undefined;
    const problem = (): string | undefined => missing ?? server?.problem;
    const ready = async (signal: AbortSignal): Promise<void> => {
      const spec = await this.#specOf(wanted, definition, place);
      missing = spec === undefined ? `There is no MCP server for the tools ${wanted}.` : undefined;
      server = spec && this.#serverOf(spec);
      await server?.ready(signal);
    };
    return {
      get tools() {
        return tools();
      },
      get problem() {
        return problem();
      },
      find: (name) => {
        if (server?.state === "running" || problem() !== undefined) return find(name);
        return isWanted(name) ? unknownTool(name, ready, () => find(name), problem) : undefined;
      },
      ready,
    };
  }

  /** The names of the servers that teams in these folders can use beside their own. */
  async names(folders: readonly string[]): Promise<readonly string[]> {
    const specs = await this.#specs(folders);
    return [...new Set(specs.map(({ name }) => name))];
  }

  /** The servers that are used, and all others that teams in these folders can use. */
  async list(folders: readonly string[]): Promise<readonly McpServer[]> {
    for (const spec of await this.#specs(folders)) this.#serverOf(spec);
    return this.all;
  }

  /** The servers that a team can use, its own first, each name once. */
  async ofTeam(definition: OwnServers, place: ServerPlace): Promise<readonly McpServer[]> {
    const specs = [...(await ownSpecs(definition, place)), ...(await this.#specs(place.folders()))];
    const names = new Set<string>();
    return specs.flatMap((spec) => {
      if (names.has(spec.name)) return [];
      names.add(spec.name);
      return [this.#serverOf(spec)];
    });
  }

  /** The server of an id, if there is one. */
  find(id: string): McpServer | undefined {
    return this.#servers.get(id);
  }

  /** The tools that servers had when they last ran in this host, as `server/tool`. */
  get knownTools(): readonly { readonly name: string; readonly description: string }[] {
    return this.all.flatMap(({ spec, knownTools }) =>
      knownTools.map(({ name, description }) => ({ name: `${spec.name}/${name}`, description })),
    );
  }

  /** A run is over: what could not be started is tried again in the next. */
  runEnded(): void {
    for (const server of this.all) server.forgive();
  }

  /** Ends all servers. */
  async stop(): Promise<void> {
    await Promise.all(this.all.map((server) => server.stop()));
  }

  /** The server whose tools are wanted: that with the longest name that fits, and the nearest one of that name. */
  async #specOf(wanted: string, definition: TeamDefinition, place: ServerPlace): Promise<ServerSpec | undefined> {
    const fits = ({ name }: ServerSpec): boolean => wanted.startsWith(`${name}/`);
    const nearest = longest((await ownSpecs(definition, place)).filter(fits));
    return nearest ?? longest((await this.#specs(place.folders())).filter(fits));
  }

  /** The server of a spec. One whose description has changed is ended. */
  #serverOf(spec: ServerSpec): McpServer {
    const key = specKey(spec);
    const known = this.#servers.get(key);
    if (known !== undefined && JSON.stringify(known.spec) === JSON.stringify(spec)) return known;
    void known?.stop();
    const server = new McpServer(spec, this.#options, () => {});
    this.#servers.set(key, server);
    return server;
  }

  async #specs(folders: readonly string[]): Promise<readonly ServerSpec[]> {
    const files = await Promise.all(
      folders.map((folder) => this.#fileSpecs(join(folder, ".vscode", "mcp.json"), folders)),
    );
    const own = await Promise.all(this.#options.ownFiles.map((path) => this.#fileSpecs(path, folders)));
    return [...files.flat(), ...(await this.#ownSpecs(folders)), ...own.flat()];
  }

  async #fileSpecs(path: string, folders: readonly string[]): Promise<readonly ServerSpec[]> {
    const text = await fileText(path);
    if (text === undefined) return [];
    return this.#read(text, pathToFileURL(path).href, folders);
  }

  async #ownSpecs(folders: readonly string[]): Promise<readonly ServerSpec[]> {
    const value = await this.#options.ownServers();
    if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return [];
    return this.#read(JSON.stringify({ servers: value }), undefined, folders);
  }

  async #read(text: string, from: string | undefined, folders: readonly string[]): Promise<readonly ServerSpec[]> {
    const { readServerFile } = await loadMcp();
    const { servers, inputs, problems } = readServerFile(text);
    // A file is read whenever something may refer to its servers, such as each time that a team file is checked.
    const said = problems.join(" ");
    if (said !== this.#said.get(from))
      for (const problem of problems) this.#options.log.warn(`${from ?? SETTING}: ${problem}`);
    this.#said.set(from, said);
    return Promise.all(servers.map(({ name, server }) => withEnvFile({ name, from, server, inputs, folders })));
  }
}

/** The servers of a team file. */
function ownSpecs(definition: OwnServers, place: ServerPlace): Promise<readonly ServerSpec[]> {
  const from = place.uri ?? `gavel-team:/${encodeURIComponent(definition.name)}`;
  const folders = place.folders();
  const specs = Object.entries(definition.mcpServers ?? {}).map(([name, server]) =>
    withEnvFile({ name, from, server, inputs: [], folders }),
  );
  return Promise.all(specs);
}

function longest(specs: readonly ServerSpec[]): ServerSpec | undefined {
  let found: ServerSpec | undefined;
  for (const spec of specs) if (found === undefined || spec.name.length > found.name.length) found = spec;
  return found;
}
