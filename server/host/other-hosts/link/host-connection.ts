import type { Duplex } from "node:stream";
import { HostJoin } from "../../../../shared/contract/joining.ts";
import type { User } from "../../../../shared/contract/people.ts";
import { PROTOCOL_VERSION } from "../../../../shared/contract/version.ts";
import { askOver } from "../../../../socket/ask-host.ts";
import type { Conversation } from "../host-parts.ts";

/** After how long without use a connection is closed, in milliseconds. */
const IDLE_MS = 60_000;

export interface HostConnectionOptions {
  /** The end of a stream to the other host, of which both have shown that they know its key. */
  readonly stream: Duplex;
  readonly converse: (stream: Duplex) => Conversation;
  /** In whose name it is. */
  readonly user: User;
  readonly program: string;
  readonly notified: (method: string, params: unknown) => void;
  /** Whether it is in use although nothing is being asked. */
  readonly isUsed: () => boolean;
  readonly closed: () => void;
}

/** A connection to another host. One that is not used for a minute is closed. */
export class HostConnection {
  readonly #options: HostConnectionOptions;
  readonly #conversation: Conversation;
  readonly #timer: ReturnType<typeof setInterval>;
  #asked = 0;
  #lastUse = performance.now();

  private constructor(options: HostConnectionOptions) {
    this.#options = options;
    this.#conversation = options.converse(options.stream);
    this.#conversation.onNotification(options.notified);
    this.#timer = setInterval(() => this.#look(), IDLE_MS / 4);
    this.#timer.unref();
    options.stream.once("close", () => {
      clearInterval(this.#timer);
      options.closed();
    });
  }

  /** @throws HostRefusedError with a sentence; undefined if the stream ends. */
  static async open(options: HostConnectionOptions): Promise<HostConnection | undefined> {
    const { stream, user, program } = options;
    const joined = await askOver(stream, HostJoin, { protocolVersion: PROTOCOL_VERSION });
    // A stream that has closed by now would not tell so again.
    if (joined === undefined || stream.destroyed) return undefined;
    const connection = new HostConnection(options);
    await connection.request("initialize", {
      processId: null,
      rootUri: null,
      capabilities: {},
      clientInfo: { name: program },
      initializationOptions: { user, interruptReceived: true },
    });
    connection.#conversation.notify("initialized", {});
    return connection;
  }

  /** See {@link Conversation.request}. */
  async request(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    this.#asked++;
    try {
      return await this.#conversation.request(method, params, signal);
    } finally {
      this.#asked--;
      this.#lastUse = performance.now();
    }
  }

  close(): void {
    this.#options.stream.destroy();
    // No request is to find it until the stream is closed.
    this.#options.closed();
  }

  #look(): void {
    if (this.#asked > 0 || this.#options.isUsed()) this.#lastUse = performance.now();
    else if (performance.now() - this.#lastUse > IDLE_MS) this.close();
  }
}
