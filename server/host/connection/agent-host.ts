import type { Duplex } from "node:stream";
import { ErrorCodes, ResponseError } from "vscode-languageserver/node";
import { messageOf } from "../../../shared/contract/errors.ts";
import type { ServeOptions } from "../../../shared/contract/joining.ts";
import type { User } from "../../../shared/contract/people.ts";
import type { InitializationOptions } from "../../../shared/contract/requests.ts";
import { PROTOCOL_VERSION } from "../../../shared/contract/version.ts";
import { acting } from "../clients/acting.ts";
import type { Client } from "../clients/client.ts";
import type { HealthEndpoint } from "../health/health-endpoint.ts";
import type { HostState } from "../health/host-state.ts";
import { Host, type NewClient } from "../host.ts";
import { JsonLog } from "../log/json-log.ts";
import type { HostSocket, HostSocketOptions } from "../socket/host-socket.ts";
import { ClientConnection } from "./client-connection.ts";
import { converse } from "./conversation.ts";
import { gavelVersion } from "./gavel-version.ts";
import { type JoinedTransport, joinedTransport } from "./joined-transport.ts";
import type { Transport } from "./transport.ts";
import { whenIdle } from "./when-idle.ts";

const NOT_BEGUN = "The user of this agent host has not joined it yet; try again when they have.";

/** How long a host without a parent stays when it is idle. */
const IDLE_MINUTES = 10;

/** How often it is looked whether the last run has ended, in milliseconds. */
const DRAIN_LOOK_MS = 100;

/** The agent host of a process: it has its teams from the first client's `initialize` on, and connections to all clients. */
export class AgentHost implements Disposable {
  readonly #environmentKey: string | undefined;
  readonly #connections = new Set<ClientConnection>();
  #host: Host | undefined;
  #options: InitializationOptions = {};
  #socket: Disposable | undefined;
  #idle: Disposable | undefined;
  #health: HealthEndpoint | undefined;
  #log: JsonLog | undefined;
  #isDraining = false;

  /** @param environmentKey the OPENAI_API_KEY of the environment */
  constructor(environmentKey: string | undefined) {
    this.#environmentKey = environmentKey;
  }

  /** The connection to the process that has started this one, with which it ends. */
  connectParent(transport: Transport): void {
    const connection = new ClientConnection(transport, {
      initialize: (client, options) => this.#initialize(client, options),
      share: (storagePath) => this.#share(storagePath),
      shutdown: () => this.finish(),
    });
    this.#connections.add(connection);
    connection.listen();
  }

  /** A connection to a client that leaves the host running when it goes. */
  connect(transport: JoinedTransport): void {
    const connection: ClientConnection = new ClientConnection(transport, {
      initialize: (client, options) => this.#initialize(client, options),
      share: async () => true,
      shutdown: () => connection.requests.endAll("its client is leaving"),
      guest: transport.guest,
    });
    this.#connections.add(connection);
    transport.onClose(() => {
      this.#connections.delete(connection);
      if (connection.client !== undefined) this.#host?.left(connection.client);
    });
    connection.listen();
  }

  /**
   * Listens for clients, without a parent. `exit` is called when the host has ended: because a client has asked for it, or
   * because it was idle.
   * @returns whether it listens, which it does not if another host does for the storage folder; and the port, if users of
   * other computers can join.
   * @throws Error when the socket cannot be made, or the network cannot be listened on.
   */
  async serve(
    given: ServeOptions & Pick<InitializationOptions, "store" | "link">,
    exit: () => void,
  ): Promise<{ readonly listening: boolean; readonly port?: number | undefined; readonly metricsPort?: number }> {
    const { idleMinutes, network, metrics, log, drainSeconds: _, foreground = false, ...options } = given;
    this.#options = options;
    await this.#beWatched(metrics, log);
    const finish = (): Promise<void> => this.finish();
    const socket = await this.#listen(options.storagePath, { end: { finish, exit }, network });
    this.#socket = socket;
    if (socket === undefined) return { listening: false };
    const isIdle = (): boolean => this.#connections.size === 0 && this.#host?.sessions.isBusy !== true;
    const minutes = idleMinutes ?? (foreground ? undefined : IDLE_MINUTES);
    if (minutes !== undefined) this.#idle = whenIdle(minutes * 60_000, isIdle, () => void finish().then(exit));
    const metricsPort = this.#health === undefined ? {} : { metricsPort: this.#health.port };
    return { listening: true, port: socket.port, ...metricsPort };
  }

  /** Starts no more runs, and lets those that run go on for at most `ms` milliseconds; resolves when they have ended. */
  async drain(ms: number): Promise<void> {
    this.#isDraining = true;
    const sessions = this.#host?.sessions;
    sessions?.drain();
    if (sessions?.isBusy !== true || ms === 0) return;
    this.#host?.clients.log.info(`Host ends when its runs have, within ${ms / 1000} s.`);
    const until = performance.now() + ms;
    while (sessions.isBusy && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, Math.min(DRAIN_LOOK_MS, until - performance.now())));
  }

  /** Interrupts what runs, keeping everything; resolves when all is stored and every request is answered. */
  async finish(): Promise<void> {
    const host = this.#host;
    host?.clients.log.info("Host is shutting down.");
    await host?.sessions.interruptAll("the host is shutting down");
    await host?.commands.endAll();
    // The results of the runs are answered when they are stored.
    await host?.settled();
    await Promise.all([...this.#connections].map(({ requests }) => requests.endAll("the host is shutting down")));
    await this.#log?.close();
  }

  /** For the exit of the process: interrupts what runs, as far as possible without waiting, and closes the store. */
  [Symbol.dispose](): void {
    this.#idle?.[Symbol.dispose]();
    this.#health?.[Symbol.dispose]();
    this.#socket?.[Symbol.dispose]();
    void this.#host?.sessions.interruptAll("the host is exiting");
    this.#host?.[Symbol.dispose]();
    this.#host = undefined;
  }

  #initialize(client: NewClient, options: InitializationOptions): { readonly host: Host; readonly client: Client } {
    const host = this.#host;
    if (host === undefined && client.guest !== undefined) throw new ResponseError(ErrorCodes.InvalidRequest, NOT_BEGUN);
    if (host !== undefined || this.#socket !== undefined) this.#assertSameStore(options);
    if (host !== undefined) {
      const joined = host.join(client);
      host.clients.log.info(`${joined.id} has joined: ${joined.program} of ${joined.user.name}.`);
      return { host, client: joined };
    }
    if (this.#socket === undefined) this.#options = options;
    const made = new Host(client, this.#options, {
      environmentKey: this.#environmentKey,
      endRequests: (teamId, error) => {
        for (const { requests } of this.#connections) void requests.endThoseOf(teamId, error);
      },
      log: this.#log,
      hostConnections: {
        gavelVersion: gavelVersion(),
        accept: (stream) => this.connect(joinedTransport(stream, "host")),
        converse,
      },
    });
    this.#host = made;
    const health = this.#health;
    if (health !== undefined) made.publisher.watch({ tell: (teamId, event) => health.observe(teamId, event) });
    const { now } = made.clients;
    setImmediate(() => made.clients.log.info(startText(now, this.#options)));
    return { host: made, client: now };
  }

  /** Tells those who watch the host how it does. @throws Error with one sentence when that cannot be. */
  async #beWatched(metrics: ServeOptions["metrics"], log: ServeOptions["log"]): Promise<void> {
    if (log !== undefined) {
      this.#log = new JsonLog(log.path, log.level ?? "info", () => ({ pid: process.pid, team: acting()?.teamId }));
      await this.#log.open().catch((error: unknown) => {
        throw new Error(`The log ${log.path} cannot be written: ${messageOf(error)}.`);
      });
      // What rotates logs moves the file away, and says so.
      if (process.platform !== "win32") process.on("SIGHUP", () => void this.#log?.open().catch(() => {}));
    }
    if (metrics === undefined) return;
    const { HealthEndpoint } = await import("../health/health-endpoint.ts");
    this.#health = await HealthEndpoint.listen(metrics, () => this.#state());
  }

  #state(): HostState {
    const none = { teams: 0, running: 0, waitingCalls: 0 };
    return {
      version: gavelVersion(),
      clients: this.#host?.clients.connected.length ?? 0,
      ...(this.#host?.sessions.counts ?? none),
      storage: this.#host?.storage ?? "saving",
      isDraining: this.#isDraining,
    };
  }

  /** Listens for further clients; false if they cannot join this host, or another host has the storage folder. */
  async #share(storagePath: string | undefined): Promise<boolean> {
    const log = this.#host?.clients.log;
    if (storagePath === undefined || this.#socket !== undefined) return this.#socket !== undefined;
    try {
      this.#socket = await this.#listen(storagePath);
      if (this.#socket === undefined) log?.warn("Another host listens for clients of this storage folder.");
    } catch (error) {
      log?.warn(`Other clients cannot join this host: ${messageOf(error)}`);
    }
    return this.#socket !== undefined;
  }

  async #listen(
    storagePath: string,
    how: Pick<HostSocketOptions, "end" | "network"> = {},
  ): Promise<HostSocket | undefined> {
    const { HostSocket } = await import("../socket/host-socket.ts");
    const accept = (stream: Duplex, user?: User): void => this.connect(joinedTransport(stream, user && { user }));
    const isBusy = (): boolean => this.#host?.sessions.isBusy === true;
    return HostSocket.open({ storagePath, gavelVersion: gavelVersion(), isBusy, accept, ...how });
  }

  /** A client that expects to find other teams here would show the wrong ones. */
  #assertSameStore({ storagePath }: InitializationOptions): void {
    if (storagePath === undefined || storagePath === this.#options.storagePath) return;
    const message = "This host has the teams of another storage folder; start one for yours, or leave out storagePath.";
    throw new ResponseError(ErrorCodes.InvalidRequest, message);
  }
}

/** What a bug report needs to know about the host's environment. */
function startText({ program, roots }: Client, { storagePath }: InitializationOptions): string {
  const storage = storagePath === undefined ? "in memory" : "on disk";
  return (
    `Host started: process ${process.pid}, Node ${process.version}, ${process.platform}, protocol ${PROTOCOL_VERSION}, ` +
    `for ${program} with ${roots.paths.length} folders, state ${storage}.`
  );
}
