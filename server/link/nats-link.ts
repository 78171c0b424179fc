import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { checkServerIdentity } from "node:tls";
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
/** How long a server may take to accept a connection, in milliseconds. */
const CONNECT_MS = 5_000;

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
  // All of it is passed on to Node's TLS, which has more options than the type says.
  const secure: NonNullable<NodeConnectionOptions["tls"]> & object = {
    ...given({ ca, cert, key }),
    ...{ checkServerIdentity: identityOf(servers) },
  };
  return {
    servers: [...servers],
    name: "gavel",
    ...(user === undefined ? {} : password === undefined ? { token: user } : { user, pass: password }),
    ...(credentials === undefined ? {} : { authenticator: credsAuthenticator(await readFile(credentials)) }),
    ...(tls === undefined ? {} : { tls: secure }),
    // Only servers that the user has named.
    ignoreClusterUpdates: true,
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    noEcho: false,
  };
}

const given = (files: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).flatMap(([name, file]) => (file === undefined ? [] : [[name, file]])));

/** The client gives Node no name for a server that has an IP address; its certificate has to be for that address. */
function identityOf(servers: readonly string[]): typeof checkServerIdentity {
  const addresses = servers.map(hostOf).filter((host) => isIP(host) !== 0);
  return (name, certificate) => {
    const isUnnamed = name === "localhost" && !servers.some((server) => hostOf(server) === name);
    const errors = (isUnnamed ? addresses : [name]).map((one) => checkServerIdentity(one, certificate));
    return errors.includes(undefined) ? undefined : (errors[0] ?? new Error(`The server ${name} was not asked for.`));
  };
}

const hostOf = (server: string): string => server.slice(0, server.lastIndexOf(":")).replace(/^\[|\]$/g, "");

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
