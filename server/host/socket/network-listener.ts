import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:tls";
import { messageOf } from "../../../shared/contract/errors.ts";
import type { NetworkOptions } from "../../../shared/contract/joining.ts";
import { readUsers, userWith } from "../../../socket/users-file.ts";
import { JoiningClients, type JoiningOptions } from "./joining-clients.ts";

/** How long a client may take until the connection is encrypted, in milliseconds, and how many connections there can be. */
const HANDSHAKE_MS = 5_000;
const MAX_CONNECTIONS = 256;

/** Lets users of other computers join a host: encrypted, each with a token of their own. */
export class NetworkListener implements Disposable {
  readonly #server: Server;
  readonly #clients: JoiningClients;

  private constructor(server: Server, clients: JoiningClients) {
    this.#server = server;
    this.#clients = clients;
    server.on("secureConnection", (socket) => void clients.add(socket));
    // Whoever does not speak TLS is hung up on.
    server.on("tlsClientError", (_error, socket) => socket.destroy());
    server.maxConnections = MAX_CONNECTIONS;
  }

  /** @throws Error with a sentence, for a certificate, key or users that cannot be used, and a port that is taken. */
  static async open(
    { host, port, certificate, key, users }: NetworkOptions,
    options: Pick<JoiningOptions, "gavelVersion" | "isBusy" | "accept">,
  ): Promise<NetworkListener> {
    // It would be found out only when the first one joins.
    readUsers(users);
    const clients = new JoiningClients({
      ...options,
      keepsRunning: true,
      // A file that was damaged meanwhile lets no one in.
      authenticate: ({ token }) => {
        try {
          const user = token === undefined ? undefined : userWith(token, readUsers(users));
          return user && { user };
        } catch {
          return undefined;
        }
      },
    });
    const listener = new NetworkListener(tlsServer(certificate, key), clients);
    listener.#server.listen(port, host);
    try {
      await once(listener.#server, "listening");
    } catch (error) {
      throw new Error(`No one can join on ${host}, port ${port}: ${messageOf(error)}; choose another one.`);
    }
    return listener;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** No client joins any more. */
  close(): void {
    this.#server.close();
  }

  [Symbol.dispose](): void {
    this.close();
    this.#clients[Symbol.dispose]();
  }
}

function tlsServer(certificate: string, key: string): Server {
  try {
    return createServer({
      cert: readFileSync(certificate),
      key: readFileSync(key),
      minVersion: "TLSv1.3",
      handshakeTimeout: HANDSHAKE_MS,
    });
  } catch (error) {
    throw new Error(
      `The certificate ${certificate} and its key ${key} cannot be used: ${messageOf(error)}; give both as PEM files.`,
    );
  }
}
