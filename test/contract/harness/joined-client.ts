import assert from "node:assert/strict";
import type { Duplex } from "node:stream";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import type { z } from "zod";
import { TeamEventNotification } from "../../../shared/contract/client-requests.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { RequestMessage } from "../../../shared/contract/message-type.ts";
import { type PresentClient, TeamPresence } from "../../../shared/contract/presence.ts";
import { type JoinedHost, joinHost } from "../../../socket/join-host.ts";

export interface JoinedOptions {
  readonly storagePath: string;
  /** The id and name of its user. */
  readonly user?: string;
  readonly clientId?: string;
  /** Answers requests of the host. */
  readonly answers?: (connection: MessageConnection) => void;
  /** Is passed every event as it comes. */
  readonly onEvent?: (teamId: string, event: TeamEvent) => void;
}

/** A client that has joined a running host, as a third party would write it. */
export class JoinedClient {
  readonly connection: MessageConnection;
  readonly stream: Duplex;
  /** What it was told, by team. */
  readonly events = new Map<string, TeamEvent[]>();
  readonly keepsRunning: boolean;
  /** Who else has the team open, as it was told last. */
  readonly present = new Map<string, readonly PresentClient[]>();
  readonly #waiting = new Set<() => void>();
  #isGone = false;

  private constructor(stream: Duplex, keepsRunning: boolean, { answers, onEvent }: Partial<JoinedOptions>) {
    this.stream = stream;
    this.keepsRunning = keepsRunning;
    this.connection = createMessageConnection(new StreamMessageReader(stream), new StreamMessageWriter(stream));
    stream.once("close", () => {
      this.#isGone = true;
      // What it still waits for is not answered any more.
      this.connection.dispose();
    });
    this.connection.onNotification(TeamEventNotification.method, (params) => {
      const { teamId, event } = TeamEventNotification.params.parse(params);
      const told = this.events.get(teamId);
      if (told === undefined) this.events.set(teamId, [event]);
      else told.push(event);
      onEvent?.(teamId, event);
      this.#look();
    });
    this.connection.onNotification(TeamPresence.method, (params) => {
      const { teamId, clients } = TeamPresence.params.parse(params);
      this.present.set(teamId, clients);
      this.#look();
    });
    this.connection.onUnhandledNotification(() => undefined);
    // Its end is told by the stream's.
    this.connection.onError(() => undefined);
    answers?.(this.connection);
    this.connection.listen();
  }

  static async join(options: JoinedOptions): Promise<JoinedClient> {
    const host = await joinHost(options.storagePath);
    assert.ok(host !== undefined, "No host runs.");
    return JoinedClient.over(host, options);
  }

  /** A client over a connection that was joined. */
  static async over(host: JoinedHost, options: Partial<JoinedOptions> = {}): Promise<JoinedClient> {
    const { storagePath, user = "user", clientId } = options;
    const client = new JoinedClient(host.stream, host.keepsRunning, options);
    const initializationOptions = {
      user: { id: user, name: user },
      ...(storagePath === undefined ? {} : { storagePath }),
      ...(clientId === undefined ? {} : { clientId }),
    };
    await client.connection.sendRequest("initialize", { processId: null, capabilities: {}, initializationOptions });
    await client.connection.sendNotification("initialized", {});
    return client;
  }

  /** True once it has left, or the host has hung up. */
  get isGone(): boolean {
    return this.#isGone;
  }

  async send<P extends z.ZodType, R extends z.ZodType>(
    message: RequestMessage<P, R>,
    params: z.input<P>,
  ): Promise<z.output<R>> {
    return message.result.parse(await this.connection.sendRequest(message.method, params));
  }

  eventsOf(teamId: string): readonly TeamEvent[] {
    return this.events.get(teamId) ?? [];
  }

  /** The first event of the team, past or future, that `matches`. */
  async event(teamId: string, matches: (event: TeamEvent) => boolean): Promise<TeamEvent> {
    return this.#until(() => this.eventsOf(teamId).find(matches));
  }

  /** Resolves when it is told that the clients of a team are these. */
  async presence(teamId: string, matches: (clients: readonly PresentClient[]) => boolean): Promise<void> {
    await this.#until(() => (matches(this.present.get(teamId) ?? []) ? true : undefined));
  }

  /** Its end is expected from now on: see {@link unlessGone}. */
  expectEnd(): void {
    this.#isGone = true;
  }

  /** The answer to a request of this client, or nothing if the client went before it came. */
  async unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
    try {
      return await answer;
    } catch (error) {
      if (this.#isGone) return undefined;
      throw error;
    }
  }

  /** Leaves as an editor does; resolves when the connection is closed. */
  async leave(): Promise<void> {
    const closed = this.closed();
    await this.connection.sendRequest("shutdown");
    this.#isGone = true;
    await this.connection.sendNotification("exit");
    await closed;
  }

  /** Goes as one that is killed does. */
  vanish(): void {
    this.#isGone = true;
    this.stream.destroy();
  }

  /** Resolves when the connection is closed. */
  async closed(): Promise<void> {
    if (!this.stream.closed) await new Promise((resolve) => this.stream.once("close", resolve));
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }

  #until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }
}
