import { readFile } from "node:fs/promises";
import {
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
  type Subscription,
} from "@nats-io/transport-node";
import type { LinkAddress } from "./address.ts";
import type { Link, LinkMessage } from "./link.ts";

/** How long a server may be silent before the connection counts as lost, in milliseconds: two pings without an answer. */
const PING_MS = 2_000;
const RECONNECT_MS = 250;

/**
 * Connects to NATS. Connections that are lost are made again, for as long as it takes; what was to be sent meanwhile is
 * sent then. @throws Error with one sentence when the server cannot be reached or refuses.
 */
export async function connectNats(address: LinkAddress): Promise<Link> {
  try {
    return new NatsLink(address.name, await connect(await optionsFor(address)));
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new Error(`The link ${address.name} cannot be used: ${text.replace(/\.$/, "")}.`, { cause: error });
  }
}

async function optionsFor(address: LinkAddress): Promise<NodeConnectionOptions> {
  const { servers, user, password, credentials, tls } = address;
  const [ca, cert, key] = await Promise.all(
    [tls?.ca, tls?.cert, tls?.key].map((file) => (file === undefined ? undefined : readFile(file, "utf8"))),
  );
  return {
    servers: [...servers],
    name: "gavel",
    ...(user === undefined ? {} : password === undefined ? { token: user } : { user, pass: password }),
    ...(credentials === undefined ? {} : { authenticator: credsAuthenticator(await readFile(credentials)) }),
    ...(tls === undefined
      ? {}
      : {
          tls: {
            ...(ca === undefined ? {} : { ca }),
            ...(cert === undefined ? {} : { cert }),
            ...(key === undefined ? {} : { key }),
          },
        }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    noEcho: false,
  };
}

class NatsLink implements Link {
  readonly name: string;
  isUp = true;
  readonly #connection: NatsConnection;
  readonly #listeners = new Set<(isUp: boolean) => void>();

  constructor(name: string, connection: NatsConnection) {
    this.name = name;
    this.#connection = connection;
    void this.#watch();
  }

  publish(subject: string, data: Uint8Array): void {
    if (!this.#connection.isClosed()) this.#connection.publish(subject, data);
  }

  subscribe(subject: string, receive: (message: LinkMessage) => void, queue?: string): () => void {
    const subscription: Subscription = this.#connection.subscribe(subject, {
      ...(queue === undefined ? {} : { queue }),
      callback: (error, message) => {
        if (error !== null) return;
        const respond = (data: Uint8Array): void => void message.respond(data);
        receive({ subject: message.subject, data: message.data, respond });
      },
    });
    return () => subscription.unsubscribe();
  }

  async request(subject: string, data: Uint8Array, ms: number): Promise<Uint8Array | undefined> {
    try {
      return (await this.#connection.request(subject, data, { timeout: ms })).data;
    } catch {
      return undefined;
    }
  }

  onStatus(changed: (isUp: boolean) => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  async close(): Promise<void> {
    if (this.#connection.isClosed()) return;
    // A server that is not there keeps nothing from ending.
    if (this.isUp) await Promise.race([this.#connection.flush().catch(() => {}), this.#connection.closed()]);
    await this.#connection.close();
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === "disconnect") this.#changed(false);
      else if (type === "reconnect") this.#changed(true);
    }
    this.#changed(false);
  }

  #changed(isUp: boolean): void {
    if (this.isUp === isUp) return;
    this.isUp = isUp;
    for (const listener of this.#listeners) listener(isUp);
  }
}
