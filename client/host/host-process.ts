import type { CancellationToken, Disposable, LogOutputChannel } from "vscode";
import type * as z from "zod";
import { messageOf } from "../../shared/contract/errors.ts";
import type { ParamsOf, RequestMessage } from "../../shared/contract/message-type.ts";
import type { DraftPart } from "../../shared/contract/setup.ts";
import type { StorageStatus } from "../../shared/contract/storage.ts";
import { HostRefusedError } from "../../socket/ask-host.ts";
import { Emitter } from "../emitter.ts";
import type { AgentHostConnection, TeamEventMessage } from "./connection.ts";
import { HostDownError, HostEndedError, RunningHostError } from "./host-errors.ts";
import { type ConnectedPeople, PresentPeople } from "./present-people.ts";
import type { ReachedHost } from "./reached-host.ts";
import { RestartPolicy } from "./restart-policy.ts";

/** `unused` until the first request; `down` when it is not started again until the user wants it. */
export type HostState = "unused" | "starting" | "ready" | "down";

/** A connection to a host, as far as it is used here. */
export type Connection = Pick<
  AgentHostConnection,
  "request" | "stop" | "host" | "onTeamEvent" | "onStorageStatus" | "onDraftPart"
> & { readonly people: ConnectedPeople };

/**
 * Joins or starts a host. `listen` is called with its connection, before the first event; `closed` once when it hangs up
 * without `stop`, after the start has succeeded.
 */
export type Connect = (listen: (connection: Connection) => void, closed: () => void) => Promise<Connection>;

/** One connection, from the moment when it is begun. */
interface Started {
  readonly connection: Promise<Connection>;
  /** Resolves when the host has hung up, or could not be started. */
  readonly closed: Promise<void>;
}

const SAVING: StorageStatus = { state: "saving" };
/** How often a window follows when others that have the host close, within a few minutes. */
const MAX_MOVES = 50;

/** The agent host of this window: joined or started on first use, and again when it ends. */
export class HostProcess implements Disposable {
  readonly #log: LogOutputChannel;
  readonly #connect: Connect;
  readonly #endServed: () => Promise<boolean>;
  readonly #policy = new RestartPolicy();
  readonly #moves = new RestartPolicy(MAX_MOVES);
  readonly #stateChanged = new Emitter<HostState>();
  readonly #teamEvent = new Emitter<TeamEventMessage>();
  readonly #storageChanged = new Emitter<StorageStatus>();
  readonly #draftPart = new Emitter<ParamsOf<typeof DraftPart>>();
  #started: Started | undefined;
  #reached: ReachedHost | undefined;
  #state: HostState = "unused";
  #whyDown: Error | undefined;
  #isEnding = false;
  #storage: StorageStatus = SAVING;
  #disposed = false;

  readonly onStateChanged = this.#stateChanged.event;
  readonly onTeamEvent = this.#teamEvent.event;
  readonly onStorageChanged = this.#storageChanged.event;
  /** Who the user is, and who else has its teams open. */
  readonly people = new PresentPeople();
  /** Fires with the parts of drafts while a model writes them. */
  readonly onDraftPart = this.#draftPart.event;

  /** @param endServed ends the host that keeps running for this window's storage folder; false if none does. */
  constructor(log: LogOutputChannel, connect: Connect, endServed: () => Promise<boolean> = async () => false) {
    this.#log = log;
    this.#connect = connect;
    this.#endServed = endServed;
  }

  get state(): HostState {
    return this.#state;
  }

  /** The host that this window is connected to; undefined while it is not. */
  get reached(): ReachedHost | undefined {
    return this.#state === "ready" ? this.#reached : undefined;
  }

  /** Why there is no host, with what the user can do about it; undefined unless the state is `down`. */
  get whyDown(): Error | undefined {
    return this.#state === "down" ? this.#whyDown : undefined;
  }

  /** Whether the running host can store what happens. */
  get storage(): StorageStatus {
    return this.#storage;
  }

  /** Starts the host if it is not running; that it fails is told by its state. */
  async ensureStarted(): Promise<void> {
    await this.#connected().catch(() => undefined);
  }

  /** Sends a request, and starts the host if it is not running. Throws like {@link AgentHostConnection.request}. */
  async request<P extends z.ZodType, R extends z.ZodType>(
    message: RequestMessage<P, R>,
    params: z.input<P>,
    token?: CancellationToken,
  ): Promise<z.output<R>> {
    return (await this.#connected()).request(message, params, token);
  }

  /**
   * Ends the host, if this window has started it or it keeps running, and reaches another. A host of another window goes on
   * and is joined again. Listeners reopen their team when it is ready.
   * @throws HostRefusedError when a host that keeps running cannot be ended.
   */
  async restart(): Promise<void> {
    this.#log.info("Restarting the agent host, as requested by the user.");
    this.#policy.reset();
    this.#moves.reset();
    if (this.reached?.keepsRunning === true) await this.end();
    await this.stop();
    await this.#start();
  }

  /**
   * Ends the host that keeps running, for all its clients; it interrupts what runs, keeping everything. This window starts
   * no other until the user wants one.
   * @returns false if no host keeps running.
   * @throws HostRefusedError when it does not end.
   */
  async end(): Promise<boolean> {
    const started = this.#started;
    this.#isEnding = true;
    try {
      const ended = await this.#endServed();
      // The last events arrive before it hangs up.
      if (ended) await started?.closed;
      return ended;
    } finally {
      this.#isEnding = false;
    }
  }

  /** Disconnects, and shuts down a host that this window has started. The next request would start it again. */
  async stop(): Promise<void> {
    const started = this.#started;
    this.#started = undefined;
    const connection = await started?.connection.catch(() => undefined);
    if (connection === undefined) return;
    await connection.stop();
    this.#log.info(connection.host.isOwn ? "The agent host has shut down." : "Left the agent host, which goes on.");
  }

  dispose(): void {
    this.#disposed = true;
    void this.stop();
    this.#stateChanged.dispose();
    this.#teamEvent.dispose();
    this.#storageChanged.dispose();
    this.#draftPart.dispose();
    this.people.dispose();
  }

  #connected(): Promise<Connection> {
    if (this.#started !== undefined) return this.#started.connection;
    if (this.#state === "down") return Promise.reject(this.#whyDown ?? new HostDownError());
    return this.#start();
  }

  #start(): Promise<Connection> {
    const startedAt = performance.now();
    this.#log.info("Starting the agent host.");
    const closed = Promise.withResolvers<void>();
    // A connection may be closed as soon as it is there: `started` is set by then, as every connection awaits something.
    const isCurrent = (): boolean => this.#started === started;
    const connection = this.#connect(
      (listening) => {
        this.people.follow(listening.people);
        listening.onTeamEvent((message) => isCurrent() && this.#teamEvent.fire(message));
        listening.onDraftPart((part) => this.#draftPart.fire(part));
        listening.onStorageStatus((status) => isCurrent() && this.#setStorage(status));
      },
      () => {
        closed.resolve();
        if (isCurrent()) this.#hungUp();
      },
    );
    const started: Started = { connection, closed: closed.promise };
    this.#started = started;
    this.#setStorage(SAVING);
    this.#setState("starting");
    connection.then(
      ({ host }) => {
        if (!isCurrent()) return;
        this.#reached = host;
        this.#log.info(`${howReached(host)} after ${Math.round(performance.now() - startedAt)} ms.`);
        this.#setState("ready");
      },
      (error: unknown) => {
        closed.resolve();
        if (isCurrent()) this.#notReached(error);
      },
    );
    return connection;
  }

  #notReached(error: unknown): void {
    this.#started = undefined;
    this.#log.error(`The agent host did not start: ${messageOf(error)}`);
    if (error instanceof HostRefusedError) this.#setDown(new RunningHostError(error.message));
    else this.#again(this.#policy);
  }

  #hungUp(): void {
    this.#started = undefined;
    if (this.#isEnding) {
      this.#log.info("The agent host has ended, as requested by the user.");
      this.#setDown(new HostEndedError());
      return;
    }
    // The host of another window ends with that one, which is nothing unusual.
    const hasMoved = this.#reached?.isOwn === false && !this.#reached.keepsRunning;
    if (hasMoved) this.#log.info("The agent host has ended with the window or terminal that had started it.");
    else this.#log.error("The agent host exited unexpectedly.");
    this.#again(hasMoved ? this.#moves : this.#policy);
  }

  #again(policy: RestartPolicy): void {
    if (this.#disposed) return;
    if (policy.allows(performance.now())) {
      this.#log.info("Restarting the agent host automatically.");
      this.#start().catch(() => undefined);
    } else {
      this.#log.error("The agent host exited too often, so it is not restarted automatically.");
      this.#setDown(new HostDownError());
    }
  }

  #setDown(why: Error): void {
    this.#whyDown = why;
    this.#setState("down");
  }

  #setStorage(status: StorageStatus): void {
    if (this.#storage === status) return;
    this.#storage = status;
    this.#storageChanged.fire(status);
  }

  #setState(state: HostState): void {
    if (this.#state === state || this.#disposed) return;
    this.#state = state;
    this.#stateChanged.fire(state);
  }
}

function howReached({ isOwn, keepsRunning, gavelVersion }: ReachedHost): string {
  if (isOwn) return "The agent host is ready";
  const which = keepsRunning ? "the agent host that keeps running" : "the agent host of another window or terminal";
  return `Joined ${which}, of Gavel ${gavelVersion},`;
}
