import type { ModelDefinition } from "../../shared/contract/definition.ts";
import { GavelError, invalidParams, messageOf } from "../../shared/contract/errors.ts";
import type { ParamsOf, ResultOf } from "../../shared/contract/message-type.ts";
import type { User } from "../../shared/contract/people.ts";
import { type InitializationOptions, type TeamFollow, TeamOpen } from "../../shared/contract/requests.ts";
import type { AgentsCheck } from "../../shared/contract/setup.ts";
import type { StorageStatus } from "../../shared/contract/storage.ts";
import { PROTOCOL_VERSION } from "../../shared/contract/version.ts";
import { PLAN_TOOL } from "../../shared/plan-tool.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import type { ApprovalOutcome, CallToApprove, Model, SensitiveFiles } from "../engine/index.ts";
import { Network, RateLimits } from "../models/index.ts";
import { FileNames, removeStaleSessions, Sandbox, type SandboxState, SessionFolder } from "../tools/index.ts";
import { Agents } from "./agents/agents.ts";
import { remoteAccess } from "./agents/remote-access.ts";
import { Approvals } from "./approvals/approvals.ts";
import { mayRead } from "./approvals/may-read.ts";
import { sandboxRules } from "./approvals/sandbox-rules.ts";
import { UserRules } from "./approvals/user-rules.ts";
import { clientEditor } from "./client-services/client-editor.ts";
import { ClientTools } from "./client-services/client-tools.ts";
import { clientKeys } from "./client-services/credentials.ts";
import { ExtensionTools } from "./client-services/extension-tools.ts";
import { UserConsent } from "./client-services/user-consent.ts";
import type { UserSettings } from "./client-services/user-settings.ts";
import { webAccess } from "./client-services/web-access.ts";
import { acting, keepActing } from "./clients/acting.ts";
import { Client, type ClientOptions } from "./clients/client.ts";
import { Clients } from "./clients/clients.ts";
import { CurrentPermissions } from "./clients/current-permissions.ts";
import { currentRequests } from "./clients/current-requests.ts";
import { OpenDocuments } from "./clients/open-documents.ts";
import { Presence } from "./clients/presence.ts";
import { ReturningClients } from "./clients/returning-clients.ts";
import { StorageNotices } from "./clients/storage-notices.ts";
import { TeamCommands } from "./commands/team-commands.ts";
import { CommandLog } from "./edits/command-log.ts";
import { Edits } from "./edits/edits.ts";
import { TurnEditLog } from "./edits/turn-edit-log.ts";
import { FIRST_TOOLS } from "./first-tools.ts";
import type { HostLog } from "./log/host-log.ts";
import { mcpFetch } from "./mcp/mcp-fetch.ts";
import type { McpServer } from "./mcp/mcp-server.ts";
import { McpServers } from "./mcp/mcp-servers.ts";
import type { OtherHosts } from "./other-hosts/other-hosts.ts";
import { type HostConnections, otherHostsOf } from "./other-hosts/other-hosts-of.ts";
import { EventPublisher } from "./sessions/event-publisher.ts";
import type { SessionOptions } from "./sessions/session-options.ts";
import { Sessions } from "./sessions/sessions.ts";
import { Takeovers } from "./sessions/takeovers.ts";
import { Store } from "./store/store.ts";
import { TeamDefinitions } from "./team-definitions.ts";
import { teamParts } from "./team-parts.ts";
import { Workers } from "./workers/workers.ts";
import { Workplaces } from "./workplaces.ts";

/** A client to be, of which the host gives it the rest. */
export type NewClient = Omit<ClientOptions, "id" | "consent" | "missed">;

/** What a host needs of its process. */
export interface HostProcess {
  /** The OPENAI_API_KEY of the environment. */
  readonly environmentKey?: string | undefined;
  /** Ends the requests about a team that are open now. */
  readonly endRequests: SessionOptions["discarded"];
  /** A log of the host itself. */
  readonly log?: HostLog | undefined;
  /** How it speaks with other hosts of its store. */
  readonly hostConnections?: HostConnections;
}

/** The host after the first `initialize`: its teams, and everything that they need. Its clients share all of it. */
export class Host implements Disposable {
  readonly sessions: Sessions;
  readonly clientTools: ClientTools;
  readonly extensionTools: ExtensionTools;
  readonly publisher = new EventPublisher();
  readonly edits: Edits;
  readonly commands: TeamCommands;
  readonly approvals: Approvals;
  readonly clients: Clients;
  readonly presence = new Presence();
  readonly mcpServers: McpServers;
  readonly definitions: TeamDefinitions;
  readonly permissions: CurrentPermissions;
  readonly consent = new UserConsent();
  /** Whether commands run in a sandbox: unless the user has turned it off. */
  readonly sandbox: () => Promise<SandboxState | "off">;
  /** The files of the folders in which a team works; without one, of the open folders. */
  readonly fileNames: (teamId?: string) => FileNames;
  readonly sensitiveFiles: SensitiveFiles;
  /** A model by its definition; without one that of the setting `gavel.model`. */
  readonly modelOf: (definition?: ModelDefinition) => Model;
  readonly #store: Store;
  readonly #agents: Agents;
  readonly #workers: Workers;
  readonly #workplaces: Workplaces;
  readonly #log: HostLog;
  /** Where the store is on a server, and there is a link. */
  readonly otherHosts: OtherHosts | undefined;
  readonly #takeovers: Disposable | undefined;
  readonly #returning = new ReturningClients();
  #clientCount = 0;

  constructor(first: NewClient, options: InitializationOptions, { environmentKey, endRequests, ...own }: HostProcess) {
    const clients = new Clients(this.#client(first), own.log);
    this.clients = clients;
    this.#returning.joined(clients.now);
    const { log } = clients;
    this.#log = log;
    const notifyUser = (message: string): void => clients.warn(message);
    const storage = new StorageNotices({ clients, log, health: () => this.#store.health });
    this.#store = new Store(options.store ?? options.storagePath, {
      notify: (message) => {
        log.warn(message);
        notifyUser(message);
      },
      statusChanged: (status) => storage.changed(status),
      leaseAtRisk: (error) => this.sessions.fail(error),
    });
    const refresh = (): void => clients.refreshDiagnostics();
    const settings = (): UserSettings => clients.now.settings;
    const added = () => settings().addedFiles;
    // It reads the folder of all temporary files, which can wait until the client has its answer.
    setImmediate(removeStaleSessions);
    const session = new SessionFolder();
    const documents = new OpenDocuments(clients);
    const client = currentRequests(clients);
    const editLog = new TurnEditLog(
      this.#store.edits,
      (teamId) => this.#knownTeam(teamId),
      (error) => this.#mayContinue(error),
    );
    const ownFolders = [options.storagePath, options.globalStoragePath].filter((path) => path !== undefined);
    const sandbox = new Sandbox(session);
    this.sandbox = async () => {
      await settings().ready();
      return settings().commands.value.sandbox ? sandbox.state() : "off";
    };
    const network = new Network(async () => {
      await settings().ready();
      return settings().network.value;
    });
    this.commands = new TeamCommands({ session: (teamId) => this.sessions.get(teamId), log });
    const workplaces = new Workplaces({
      roots: () => clients.now.roots.paths,
      scratchPath: options.scratchPath,
      ownFolders,
      added,
      editor: { documents, log: editLog, session },
      ask: clientEditor(client),
      guard: (files) => ({
        settings: () => settings().commands.value,
        sandbox,
        changed: (origin, command, changed) => commands.add(origin, command, changed),
        rules: async (caller) => sandboxRules(files, added(), await this.approvals.denied(caller)),
        hidden: ownFolders,
      }),
      web: webAccess(network, () => settings().localHosts.value),
      commands: this.commands,
    });
    this.#workplaces = workplaces;
    const { folders, tools: hostTools } = workplaces.window;
    const ofWindow = new FileNames(folders);
    this.fileNames = (teamId) => {
      const scratch = teamId === undefined ? undefined : workplaces.scratchOf(teamId);
      return scratch === undefined ? ofWindow : new FileNames(scratch);
    };
    this.sensitiveFiles = folders.files;
    const commands = new CommandLog(this.#store, workplaces.everywhere, (teamId) => this.#store.teams.key(teamId));
    this.edits = new Edits(this.#store, workplaces.everywhere);
    this.clientTools = new ClientTools(() => clients.now, FIRST_TOOLS, refresh);
    this.extensionTools = new ExtensionTools(this.clientTools, log, refresh);
    this.approvals = new Approvals({
      records: this.#store.approvals,
      userRules: new UserRules(options.globalStoragePath, session),
      workspace: folders,
      scratchOf: (teamId) => workplaces.scratchOf(teamId),
      log,
      notifyUser,
    });
    const permissions = new CurrentPermissions(clients);
    this.permissions = permissions;
    this.mcpServers = new McpServers({
      client,
      programs: permissions.programs,
      consent: this.consent,
      fetch: mcpFetch({ network, localHosts: () => settings().localHosts.value }),
      log,
      notifyUser,
      ownFiles: options.mcpFiles ?? [],
      ownServers: async () => {
        await settings().ready();
        return settings().mcpServers.value;
      },
    });
    this.definitions = new TeamDefinitions({
      // The plan is the engine's own tool.
      hostTools: [...hostTools.keys(), PLAN_TOOL],
      clientTools: this.clientTools,
      extensionTools: this.extensionTools,
      mcpServers: this.mcpServers,
      settings,
      workplaces,
      mayRead: this.#mayRead,
      user: () => this.user,
      log,
    });
    const { consent } = this;
    const keys = clientKeys(() => clients.now, environmentKey, consent);
    const agents = new Agents({
      storagePath: options.storagePath,
      programs: permissions.programs,
      remote: (from) => remoteAccess({ send: network.send, keys, ...permissions, client, consent }, from),
      user: this.user,
      version: String(PROTOCOL_VERSION),
      environment: () => settings().commands.value.environment,
      judge: (call) => this.#judge(call),
      changed: (origin, what, changed) => commands.add(origin, what, changed),
      log,
    });
    this.#agents = agents;
    const workers = new Workers({ link: options.link, log, notifyUser });
    this.#workers = workers;
    const partsFor = teamParts({
      workers,
      access: {
        ...keys,
        worker: (definition) => workers.model(definition),
        send: network.send,
        rates: new RateLimits(),
        isAllowed: (question, signal) => permissions.endpoints.isAllowed(question, signal),
      },
      askClient: (params, signal) => clients.now.models(params, signal),
      defaultModel: async () => {
        // A stored team can run before the client has said what the user's settings are; so it is for approvals.
        await settings().ready();
        return settings().defaultModel.value;
      },
      clientTools: this.clientTools,
      mcpServers: this.mcpServers,
      extensionTools: this.extensionTools,
      approval: (call) => this.#judge(call),
      leavesOut: (call) => this.approvals.leavesOut(call),
    });
    const { model, defaultModel } = partsFor(workplaces.window);
    this.modelOf = (definition = defaultModel) => model(definition);
    const connected = (id: string): User | undefined => clients.connected.find(({ user }) => user.id === id)?.user;
    this.sessions = new Sessions({
      store: this.#store,
      publisher: this.publisher,
      parts: (team) => {
        const workplace = workplaces.opened(team);
        const { participant, close } = agents.ofTeam(team, workplace);
        return {
          ...partsFor(workplace, team.uri),
          elsewhere: workers.elsewhere,
          participant: (definition, place) => workers.participant(definition, place) ?? participant(definition, place),
          close,
        };
      },
      user: () => this.user,
      keepName: keepActing,
      servedBy: () => (clients.actor.isGuest ? clients.now.user.id : undefined),
      connected,
      connectedElsewhere: async (id) => (await this.otherHosts?.isConnected(id)) === true,
      ...(options.link === undefined || this.#store.host === undefined
        ? {}
        : { followElsewhere: async (team) => (await this.otherHosts?.follow(team)) === true }),
      log,
      runEnded: (teamId) => {
        this.approvals.runEnded(teamId);
        this.mcpServers.runEnded();
      },
      endCommands: (teamId) => this.commands.endThoseOf(teamId),
      discarded: (teamId, error) => {
        agents.forget(teamId);
        endRequests(teamId, error);
      },
    });
    this.otherHosts = otherHostsOf(options.link, own.hostConnections, {
      store: this.#store,
      sessions: this.sessions,
      publisher: this.publisher,
      isConnected: (id) => connected(id) !== undefined,
      log,
    });
    this.#takeovers = this.#takeOver(log);
  }

  /** Where hosts have leases, the teams of those that die are taken over; in half of a lease after it has ended. */
  #takeOver(log: HostLog): Disposable | undefined {
    const { lease, locks } = this.#store;
    if (lease === undefined) return undefined;
    return new Takeovers({
      every: lease / 2,
      abandoned: () => locks.abandoned(),
      takeOver: async (teamId) => (await this.sessions.get(teamId)).exclusive(() => {}, "nothing"),
      look: async () => {
        this.otherHosts?.join();
        await this.otherHosts?.check();
        await this.sessions.lookAtAll();
      },
      log,
    });
  }

  /** Another client joins. */
  join(client: NewClient): Client {
    const joined = this.#client(client);
    this.clients.joined(joined);
    this.#returning.joined(joined);
    return joined;
  }

  /** A client's connection has closed. What it has lent stays, and so do its user's settings and permissions. */
  left(client: Client): void {
    this.clients.left(client);
    this.publisher.leave(client);
    this.presence.left(client);
    this.otherHosts?.left(client);
    this.#log.info(`${client.id} has left: ${client.program} of ${client.user.name}.`);
  }

  /** The id of the user who acts. */
  get user(): string {
    return this.clients.actor.user.id;
  }

  /** Resolves when the settings of the client whose user acts are known, or cannot be. */
  settingsReady(): Promise<void> {
    return this.clients.now.settings.ready();
  }

  /**
   * Answers `team/open` of a client, which follows the team from then on. With both `uri` and `definition`, the definition
   * is the unsaved content of the file.
   */
  async open({ teamId, uri, definition }: OpenParams, client: Client): Promise<TeamState> {
    if (teamId === undefined && uri === undefined && definition === undefined) {
      const message = "give a definition, the uri of a team file, or the teamId of a stored team";
      throw invalidParams(TeamOpen.method, [{ path: "", message }]);
    }
    const wanted = { definition: await this.definitions.read(uri, definition), uri };
    return this.#present(await this.sessions.open(teamId, wanted, client), client);
  }

  /** Answers `team/fork`: the client follows the copy. */
  async fork(teamId: string, newTeamId: string | undefined, client: Client): Promise<TeamState> {
    return this.#present(await this.sessions.fork(teamId, newTeamId, client), client);
  }

  /** Answers `team/follow` of a client that returns. */
  async follow(
    { teamId, ...known }: ParamsOf<typeof TeamFollow>,
    client: Client,
  ): Promise<ResultOf<typeof TeamFollow>> {
    const missed = await this.sessions.follow(teamId, known, client);
    this.#present({ teamId }, client);
    return missed;
  }

  /** Checks the agents of a team, or of a team file. */
  async checkAgents({ teamId, uri }: ParamsOf<typeof AgentsCheck>, signal: AbortSignal): ReturnType<Agents["check"]> {
    const team =
      teamId === undefined
        ? { uri, definition: await this.definitions.read(uri, undefined) }
        : await this.sessions.get(teamId);
    const { definition } = team;
    if (definition === undefined) return [];
    return this.#agents.check({ uri: team.uri, definition }, this.#workplaces.ofFile(team.uri), signal);
  }

  /** The MCP servers of the open folders, of the settings and of teams. */
  listMcpServers(): Promise<readonly McpServer[]> {
    return this.mcpServers.list(this.#workplaces.window.folders.roots());
  }

  /** The MCP servers that a team can use; without one, those of the open folders and of the settings. */
  async mcpServersOf(teamId: string | undefined): Promise<readonly McpServer[]> {
    await this.settingsReady();
    const { definition, uri } = teamId === undefined ? { definition: { name: "" } } : await this.sessions.get(teamId);
    const { folders } = this.#workplaces.ofFile(uri);
    return this.mcpServers.ofTeam(definition, { uri, folders: () => folders.roots() });
  }

  /** Whether what happens is stored. */
  get storage(): StorageStatus["state"] {
    return this.#store.health.status.state;
  }

  /** Resolves when everything that has happened is stored, or could not be. */
  async settled(): Promise<void> {
    await this.#store.settled();
  }

  [Symbol.dispose](): void {
    this.otherHosts?.[Symbol.dispose]();
    this.#takeovers?.[Symbol.dispose]();
    this.commands[Symbol.dispose]();
    this.#agents[Symbol.dispose]();
    this.#workers[Symbol.dispose]();
    this.#store[Symbol.dispose]();
  }

  /** What the user wants to do about a storage that cannot be written; resolves with its status after that. */
  async resolveStorage(action: "retry" | "continueWithoutSaving"): Promise<StorageStatus> {
    const { health } = this.#store;
    if (action === "retry") return health.retry();
    health.continueUnsaved();
    if (health.status.state === "unsaved") this.otherHosts?.hangUp();
    return health.status;
  }

  /** For files that a team file names: rules of one participant, or of one team, are not about them. */
  readonly #mayRead = mayRead(
    async (call) => {
      // The first team file may be read before anything is stored.
      await this.#store.ready();
      return this.#judge(call);
    },
    { participant: "", teamId: "" },
  );

  async #judge(call: CallToApprove): Promise<ApprovalOutcome> {
    await this.settingsReady();
    return this.#unlessUnsaved(call, await this.approvals.judge(call));
  }

  /** While nothing is saved, no rule lets a call have an effect unasked: after a crash nothing would say what it did. */
  #unlessUnsaved({ tool }: CallToApprove, outcome: ApprovalOutcome): ApprovalOutcome {
    const isUnsaved = this.#store.health.status.state === "unsaved";
    if (!isUnsaved || outcome.decision !== "allow" || tool.readOnly === true) return outcome;
    const reason = "This conversation is not being saved, so Gavel asks before every call that may change something.";
    return { decision: "ask", rules: [], byRule: true, reason };
  }

  /** Notes that the storage fails; true if the user has decided to continue without saving. */
  #mayContinue(error: unknown): boolean {
    const { health } = this.#store;
    if (!(error instanceof GavelError)) return false;
    health.failed(error);
    return health.status.state === "unsaved";
  }

  /** The client has opened the team, which the others are told after the answer. */
  #present<T extends Pick<TeamState, "teamId">>(team: T, client: Client): T {
    setImmediate(() => {
      if (client.isConnected && client.guest !== "host") this.presence.opened(team.teamId, client);
    });
    return team;
  }

  #client(client: NewClient): Client {
    this.#clientCount++;
    return new Client({
      ...client,
      id: `client-${this.#clientCount}`,
      consent: this.consent,
      missed: ({ program, user }, what) => {
        const teamId = acting()?.teamId;
        if (teamId === undefined) return;
        const whose = `${program} of ${user.name}`;
        const reason = `It needs ${what}, which went with ${whose}; continue from another client`;
        this.sessions.pause(teamId, reason).catch((error: unknown) => this.#log.warn(messageOf(error)));
      },
    });
  }

  async #knownTeam(teamId: string): Promise<{ readonly key: number; readonly state: TeamState } | undefined> {
    if (!(await this.sessions.has(teamId))) return undefined;
    const session = await this.sessions.get(teamId);
    return { key: session.key, state: session.state };
  }
}

interface OpenParams {
  readonly teamId?: string | undefined;
  readonly uri?: string | undefined;
  readonly definition?: unknown;
}
