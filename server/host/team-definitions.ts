import type { TeamDefinition } from "../../shared/contract/definition.ts";
import type { MayRead } from "./agent-files/agent-reader.ts";
import type { FoundFiles } from "./agent-files/find-agents.ts";
import { resolver } from "./agent-files/resolver.ts";
import type { ClientTools } from "./client-services/client-tools.ts";
import type { ExtensionTools } from "./client-services/extension-tools.ts";
import type { UserSettings } from "./client-services/user-settings.ts";
import type { ValidationContext } from "./definition/definition-scope.ts";
import type { ResolveContent } from "./definition/resolved-content.ts";
import { FIRST_TOOLS } from "./first-tools.ts";
import type { HostLog } from "./log/host-log.ts";
import type { McpServers } from "./mcp/mcp-servers.ts";
import { readUnsaved } from "./team-file/read-definition.ts";
import type { Workplaces } from "./workplaces.ts";

export interface TeamDefinitionsOptions {
  /** The names of the host's own tools. */
  readonly hostTools: readonly string[];
  readonly clientTools: ClientTools;
  readonly extensionTools: ExtensionTools;
  readonly mcpServers: McpServers;
  /** Those of the user who acts. */
  readonly settings: () => UserSettings;
  readonly workplaces: Workplaces;
  readonly mayRead: MayRead;
  /** The sender of the messages of the user who acts. */
  readonly user: () => string;
  readonly log: HostLog;
}

/** Reads team definitions, with what they can refer to: tools, MCP servers, and the files of other tools' agents. */
export class TeamDefinitions {
  readonly #options: TeamDefinitionsOptions;

  constructor(options: TeamDefinitionsOptions) {
    this.#options = options;
  }

  /** What a definition can refer to, once the client has said what the settings are. */
  async context(): Promise<ValidationContext> {
    const { hostTools, clientTools, extensionTools, mcpServers, workplaces, user } = this.#options;
    const settings = this.#options.settings();
    await settings.ready();
    const registered = clientTools.names;
    return {
      tools: [...hostTools, ...registered],
      replaceable: hostTools.filter((name) => !FIRST_TOOLS.has(name) && !registered.includes(name)),
      extensionTools,
      servers: await mcpServers.names(workplaces.window.folders.roots()),
      serverTools: mcpServers.knownTools,
      hasDefaultModel: settings.defaultModel.value !== undefined,
      user: user(),
    };
  }

  /** Reads the files that a team file names, in the folders in which its team works. */
  resolverOf(uri: string | undefined, { tools }: ValidationContext): ResolveContent {
    const { workplaces, mayRead } = this.#options;
    return resolver(workplaces.ofFile(uri).folders, { uri, tools, mayRead });
  }

  /** The agents of other tools in the folders in which a team works, and with `own` the user's own. */
  async findAgents(uri: string | undefined, own: boolean): Promise<FoundFiles> {
    const { workplaces, mayRead } = this.#options;
    const { tools } = await this.context();
    const { findAgents } = await import("./agent-files/agent-references.ts");
    return findAgents(workplaces.ofFile(uri).folders, { tools, own, mayRead });
  }

  /**
   * The definition of a team file, or the given one, which is the unsaved content of the file if there is one; undefined
   * without both. @throws GavelError `InvalidTeamDefinition`.
   */
  async read(uri: string | undefined, definition: unknown): Promise<TeamDefinition | undefined> {
    if (uri === undefined && definition === undefined) return undefined;
    const { log } = this.#options;
    const context = await this.context();
    const resolve = this.resolverOf(uri, context);
    const read =
      definition === undefined
        ? await readFileOf(uri ?? "", context, resolve)
        : await readUnsaved(definition, context, resolve);
    const { name } = read.definition;
    for (const sentence of read.leftOut) log.info(`Team "${name}", converted from AutoGen: ${sentence}`);
    for (const sentence of read.notes) log.info(`Team "${name}", ${sentence}`);
    return read.definition;
  }
}

/** What reads YAML is loaded with the first team file. */
async function readFileOf(...file: Parameters<ReadTeamFile>): ReturnType<ReadTeamFile> {
  const { readTeamFile } = await import("./team-file/read-team-file.ts");
  return readTeamFile(...file);
}
type ReadTeamFile = typeof import("./team-file/read-team-file.ts").readTeamFile;
