import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { HostPlace, NetworkOptions } from "../../../shared/contract/joining.ts";
import type { User } from "../../../shared/contract/people.ts";
import { readHostPlace, removeHostPlace, writeHostPlace } from "../../../socket/place-file.ts";
import { isSameText, proofOf } from "../../../socket/proof.ts";
import { lockFile } from "../store/lock-file.ts";
import { makePrivateFile, makePrivateFolder } from "../store/private-files.ts";
import { type HostEnd, JoiningClients, type Known, type Shown } from "./joining-clients.ts";
import { NetworkListener } from "./network-listener.ts";
import { newSocketAddress } from "./socket-address.ts";

export interface HostSocketOptions {
  readonly storagePath: string;
  readonly gavelVersion: string;
  /** Whether a team runs now. */
  readonly isBusy: () => boolean;
  /** For a host that keeps running when its clients leave. */
  readonly end?: HostEnd | undefined;
  /** Where it listens for users of other computers too. */
  readonly network?: NetworkOptions | undefined;
  /** A client has joined; `user` is who it is by their credentials, for one of another computer. */
  readonly accept: (stream: Socket, user?: User) => void;
}

/**
 * Lets further clients of the same user join a host: a socket that only the user can reach, whose address and token are in a
 * file of the storage folder that only the user can read. Whoever does not know the token is sent nothing.
 */
export class HostSocket implements Disposable {
  readonly #options: HostSocketOptions;
  readonly #claim: DatabaseSync;
  readonly #token = randomBytes(32).toString("base64url");
  readonly #server: Server;
  readonly #clients: JoiningClients;
  #network: NetworkListener | undefined;

  private constructor(options: HostSocketOptions, claim: DatabaseSync) {
    const { gavelVersion, isBusy, end, accept } = options;
    this.#options = options;
    this.#claim = claim;
    this.#clients = new JoiningClients({
      gavelVersion,
      keepsRunning: end !== undefined,
      isBusy,
      authenticate: (shown) => this.#known(shown),
      accept,
      stop: () => {
        if (end !== undefined) this.#close();
        return end;
      },
    });
    this.#server = createServer((socket) => void this.#clients.add(socket));
  }

  /**
   * Begins to listen; undefined if another host listens for that storage folder.
   * @throws Error when the socket or the file cannot be made, or the network cannot be listened on.
   */
  static async open(options: HostSocketOptions): Promise<HostSocket | undefined> {
    makePrivateFolder(options.storagePath);
    const path = join(options.storagePath, "listening.lock");
    makePrivateFile(path);
    const claim = lockFile(path);
    if (claim === undefined) return undefined;
    const socket = new HostSocket(options, claim);
    try {
      await socket.#listen();
    } catch (error) {
      socket[Symbol.dispose]();
      throw error;
    }
    return socket;
  }

  /** How many clients have joined and not left. */
  get clients(): number {
    return this.#clients.size + (this.#network?.clients ?? 0);
  }

  /** The port on which users of other computers can join; undefined where none can. */
  get port(): number | undefined {
    return this.#network?.port;
  }

  /** Hangs up on all, and lets another host listen. */
  [Symbol.dispose](): void {
    if (!this.#claim.isOpen) return;
    this.#close();
    this.#clients[Symbol.dispose]();
    this.#network?.[Symbol.dispose]();
    this.#claim.close();
  }

  /** No client joins any more. */
  #close(): void {
    removeHostPlace(this.#options.storagePath, this.#token);
    this.#server.close();
    this.#network?.close();
  }

  async #listen(): Promise<void> {
    const { network, gavelVersion, isBusy, accept } = this.#options;
    if (network !== undefined) this.#network = await NetworkListener.open(network, { gavelVersion, isBusy, accept });
    const { XDG_RUNTIME_DIR: runtime } = process.env;
    const address = newSocketAddress({ platform: process.platform, temporary: tmpdir(), runtime });
    this.#removeStale(address);
    this.#server.listen(address);
    await once(this.#server, "listening");
    if (process.platform !== "win32") chmodSync(address, 0o600);
    const place: HostPlace = { version: 1, address, token: this.#token, pid: process.pid };
    writeHostPlace(this.#options.storagePath, place);
  }

  /** The socket of a host that was killed: none listens there, as this one has the claim. */
  #removeStale(address: string): void {
    const stale = readHostPlace(this.#options.storagePath)?.address;
    if (stale !== undefined && process.platform !== "win32" && dirname(stale) === dirname(address))
      rmSync(stale, { force: true });
  }

  #known({ nonce, proof, token }: Shown): Known | undefined {
    if (nonce === undefined || proof === undefined)
      return token !== undefined && isSameText(token, this.#token) ? {} : undefined;
    if (!isSameText(proof, proofOf("client", nonce, this.#token))) return undefined;
    return { proof: proofOf("host", nonce, this.#token) };
  }
}
