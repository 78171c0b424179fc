import type { Disposable, Event } from "vscode";
import { EventEmitter } from "vscode";
import type * as z from "zod";
import { messageOf } from "../../shared/contract/errors.ts";
import type { RequestMessage } from "../../shared/contract/message-type.ts";
import { type ConnectionOptions, HostConnection, type TeamEventMessage } from "./connection.ts";
import { HostDownError } from "./host-errors.ts";
import { RestartPolicy } from "./restart-policy.ts";

/** `unused` until the first request; `down` after it stopped too often, until the user restarts it. */
export type HostState = "unused" | "starting" | "ready" | "down";

/** The process of the agent host: started on first use, and restarted when it exits. */
export class HostProcess implements Disposable {
  readonly #options: () => ConnectionOptions;
  readonly #policy = new RestartPolicy();
  readonly #stateChanged = new EventEmitter<HostState>();
  readonly #teamEvent = new EventEmitter<TeamEventMessage>();
  #connection: Promise<HostConnection> | undefined;
  #state: HostState = "unused";
  #disposed = false;

  readonly onStateChanged: Event<HostState> = this.#stateChanged.event;
  readonly onTeamEvent: Event<TeamEventMessage> = this.#teamEvent.event;

  constructor(options: () => ConnectionOptions) {
    this.#options = options;
  }

  get state(): HostState {
    return this.#state;
  }

  /** Sends a request, and starts the host if it is not running. Throws like {@link HostConnection.request}. */
  async request<P extends z.ZodType, R extends z.ZodType>(
    message: RequestMessage<P, R>,
    params: z.input<P>,
  ): Promise<z.output<R>> {
    return (await this.#connected()).request(message, params);
  }

  /** Shuts the process down, if there is one, and starts another. Listeners reopen their team when it is ready. */
  async restart(): Promise<void> {
    this.#policy.reset();
    await this.stop();
    await this.#start();
  }

  /** Shuts the process down. The next request would start it again. */
  async stop(): Promise<void> {
    const life = this.#connection;
    this.#connection = undefined;
    const connection = await life?.catch(() => undefined);
    await connection?.stop();
  }

  dispose(): void {
    this.#disposed = true;
    void this.stop();
    this.#stateChanged.dispose();
    this.#teamEvent.dispose();
  }

  #connected(): Promise<HostConnection> {
    if (this.#connection !== undefined) return this.#connection;
    if (this.#state === "down") return Promise.reject(new HostDownError());
    return this.#start();
  }

  #start(): Promise<HostConnection> {
    const options = this.#options();
    // The process can end while it starts: `life` is set by then, as the start awaits before it can fail.
    let ended = false;
    const end = (why: string): void => {
      if (ended) return;
      ended = true;
      options.log.warn(why);
      if (this.#connection === life) this.#ended();
    };
    const life = HostConnection.start(
      options,
      (connection) => connection.onTeamEvent((message) => this.#connection === life && this.#teamEvent.fire(message)),
      () => end("The agent host has ended."),
    );
    this.#connection = life;
    this.#setState("starting");
    life.then(
      () => this.#connection === life && !ended && this.#setState("ready"),
      (error: unknown) => end(`The agent host did not start: ${messageOf(error)}`),
    );
    return life;
  }

  #ended(): void {
    this.#connection = undefined;
    if (this.#disposed) return;
    if (this.#policy.allows(Date.now())) this.#start().catch(() => undefined);
    else this.#setState("down");
  }

  #setState(state: HostState): void {
    if (this.#state === state || this.#disposed) return;
    this.#state = state;
    this.#stateChanged.fire(state);
  }
}
