import type { CancellationToken, Disposable, LogOutputChannel } from "vscode";
import type * as z from "zod";
import { messageOf } from "../../shared/contract/errors.ts";
import type { ParamsOf, RequestMessage } from "../../shared/contract/message-type.ts";
import type { DraftPart } from "../../shared/contract/setup.ts";
import type { StorageStatus } from "../../shared/contract/storage.ts";
import { Emitter } from "../emitter.ts";
import type { AgentHostConnection, TeamEventMessage } from "./connection.ts";
import { HostDownError } from "./host-errors.ts";
import { type ConnectedPeople, PresentPeople } from "./present-people.ts";
import { RestartPolicy } from "./restart-policy.ts";

/** `unused` until the first request; `down` after it stopped too often, until the user restarts it. */
export type HostState = "unused" | "starting" | "ready" | "down";

/** A connection to a process, as far as it is used here. */
export type Connection = Pick<
  AgentHostConnection,
  "request" | "stop" | "onTeamEvent" | "onStorageStatus" | "onDraftPart"
> & { readonly people: ConnectedPeople };

/**
 * Starts a process. `listen` is called once with its connection, before the first event; `closed` once when it exits without
 * `stop`, even while it starts.
 */
export type Connect = (listen: (connection: Connection) => void, closed: () => void) => Promise<Connection>;

const SAVING: StorageStatus = { state: "saving" };

/** The process of the agent host: started on first use, and restarted when it exits. */
export class HostProcess implements Disposable {
  readonly #log: LogOutputChannel;
  readonly #connect: Connect;
  readonly #policy = new RestartPolicy();
  readonly #stateChanged = new Emitter<HostState>();
  readonly #teamEvent = new Emitter<TeamEventMessage>();
  readonly #storageChanged = new Emitter<StorageStatus>();
  readonly #draftPart = new Emitter<ParamsOf<typeof DraftPart>>();
  #connection: Promise<Connection> | undefined;
  #state: HostState = "unused";
  #storage: StorageStatus = SAVING;
  #disposed = false;

  readonly onStateChanged = this.#stateChanged.event;
  readonly onTeamEvent = this.#teamEvent.event;
  readonly onStorageChanged = this.#storageChanged.event;
  /** Who the user is, and who else has its teams open. */
  readonly people = new PresentPeople();
  /** Fires with the parts of drafts while a model writes them. */
  readonly onDraftPart = this.#draftPart.event;

  constructor(log: LogOutputChannel, connect: Connect) {
    this.#log = log;
    this.#connect = connect;
  }

  get state(): HostState {
    return this.#state;
  }

  /** Whether the running process can store what happens. */
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

  /** Shuts the process down, if there is one, and starts another. Listeners reopen their team when it is ready. */
  async restart(): Promise<void> {
    this.#log.info("Restarting the agent host, as requested by the user.");
    this.#policy.reset();
    await this.stop();
    await this.#start();
  }

  /** Shuts the process down. The next request would start it again. */
  async stop(): Promise<void> {
    const started = this.#connection;
    this.#connection = undefined;
    const connection = await started?.catch(() => undefined);
    if (connection === undefined) return;
    await connection.stop();
    this.#log.info("The agent host has shut down.");
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
    if (this.#connection !== undefined) return this.#connection;
    if (this.#state === "down") return Promise.reject(new HostDownError());
    return this.#start();
  }

  #start(): Promise<Connection> {
    const startedAt = performance.now();
    this.#log.info("Starting the agent host.");
    // The process can exit while it starts: `started` is set by then, as the start awaits before it can fail.
    let exited = false;
    const exit = (why: string): void => {
      if (exited) return;
      exited = true;
      if (this.#connection !== started) return;
      this.#log.error(why);
      this.#exited();
    };
    const started = this.#connect(
      (connection) => {
        this.people.follow(connection.people);
        connection.onTeamEvent((message) => this.#connection === started && this.#teamEvent.fire(message));
        connection.onDraftPart((part) => this.#draftPart.fire(part));
        connection.onStorageStatus((status) => this.#connection === started && this.#setStorage(status));
      },
      () => exit("The agent host exited unexpectedly."),
    );
    this.#connection = started;
    this.#setStorage(SAVING);
    this.#setState("starting");
    started.then(
      () => {
        if (this.#connection !== started || exited) return;
        this.#log.info(`The agent host is ready after ${Math.round(performance.now() - startedAt)} ms.`);
        this.#setState("ready");
      },
      (error: unknown) => exit(`The agent host did not start: ${messageOf(error)}`),
    );
    return started;
  }

  #exited(): void {
    this.#connection = undefined;
    if (this.#disposed) return;
    if (this.#policy.allows(performance.now())) {
      this.#log.info("Restarting the agent host automatically.");
      this.#start().catch(() => undefined);
    } else {
      this.#log.error("The agent host exited too often, so it is not restarted automatically.");
      this.#setState("down");
    }
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
