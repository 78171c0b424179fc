import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { HostJoin, type HostPlace, HostStop } from "../../../shared/contract/joining.ts";
import { PROTOCOL_VERSION } from "../../../shared/contract/version.ts";
import { frameOf, readFirstFrame } from "../../../socket/first-frame.ts";
import { readHostPlace, removeHostPlace, writeHostPlace } from "../../../socket/place-file.ts";
import { lockFile } from "../store/lock-file.ts";
import { makePrivateFile, makePrivateFolder } from "../store/private-files.ts";
import { newSocketAddress } from "./socket-address.ts";

/** How many clients there can be, and how many that have not shown the token. */
const MAX_CLIENTS = 64;
const MAX_UNKNOWN = 64;
/** The first message of a client, in bytes, and how long it may take, in milliseconds. */
const MAX_FIRST = 4_096;
const MAX_FIRST_MS = 5_000;

const id = z.union([z.number(), z.string().max(100)]);

/** What can be asked of a host before it is joined. */
const First = z.discriminatedUnion("method", [
  z.object({ id, method: z.literal(HostJoin.method), params: HostJoin.params }),
  z.object({ id, method: z.literal(HostStop.method), params: HostStop.params }),
]);

/** How a host without a parent is ended. */
export interface HostEnd {
  /** Interrupts what runs; resolves when all is stored. */
  readonly finish: () => Promise<void>;
  /** Called after that. */
  readonly exit: () => void;
}

export interface HostSocketOptions {
  readonly storagePath: string;
  readonly gavelVersion: string;
  /** For a host that keeps running when its clients leave. */
  readonly end?: HostEnd | undefined;
  /** A client has joined. */
  readonly accept: (stream: Socket) => void;
}

/**
 * Lets further clients of the same user join a host: a socket that only the user can reach, whose address and token are in a
 * file of the storage folder that only the user can read. Whoever does not show the token is sent nothing.
 */
export class HostSocket implements Disposable {
  readonly #options: HostSocketOptions;
  readonly #claim: DatabaseSync;
  readonly #token = randomBytes(32).toString("base64url");
  readonly #server: Server;
  readonly #clients = new Set<Socket>();
  readonly #unknown = new Set<Socket>();

  private constructor(options: HostSocketOptions, claim: DatabaseSync) {
    this.#options = options;
    this.#claim = claim;
    this.#server = createServer((socket) => void this.#joined(socket));
  }

  /**
   * Begins to listen; undefined if another host listens for that storage folder.
   * @throws Error when the socket or the file cannot be made.
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
    return this.#clients.size;
  }

  /** Hangs up on all, and lets another host listen. */
  [Symbol.dispose](): void {
    if (!this.#claim.isOpen) return;
    this.#close();
    for (const socket of [...this.#clients, ...this.#unknown]) socket.destroy();
    this.#claim.close();
  }

  /** No client joins any more. */
  #close(): void {
    removeHostPlace(this.#options.storagePath, this.#token);
    this.#server.close();
  }

  async #listen(): Promise<void> {
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

  async #joined(socket: Socket): Promise<void> {
    // What goes wrong with it is told by its end.
    socket.on("error", () => undefined);
    if (this.#unknown.size >= MAX_UNKNOWN) {
      socket.destroy();
      return;
    }
    this.#unknown.add(socket);
    socket.once("close", () => {
      this.#unknown.delete(socket);
      this.#clients.delete(socket);
    });
    const first = First.safeParse(await readFirstFrame(socket, { maxSize: MAX_FIRST, maxMs: MAX_FIRST_MS }));
    if (socket.destroyed || !first.success || !this.#isToken(first.data.params.token)) {
      socket.destroy();
      return;
    }
    const { id, params } = first.data;
    if (!("protocolVersion" in params)) {
      await this.#stop(socket, id);
      return;
    }
    const refusal = this.#refusal(params.protocolVersion);
    if (refusal !== undefined) {
      refuse(socket, id, refusal);
      return;
    }
    this.#unknown.delete(socket);
    this.#clients.add(socket);
    const { gavelVersion, accept, end } = this.#options;
    const keepsRunning = end !== undefined;
    socket.write(frameOf({ id, result: { protocolVersion: PROTOCOL_VERSION, gavelVersion, keepsRunning } }));
    accept(socket);
  }

  async #stop(socket: Socket, id: number | string): Promise<void> {
    const { end } = this.#options;
    if (end === undefined) {
      const who = `The agent host was started by another window or terminal (process ${process.ppid})`;
      refuse(socket, id, `${who}; close that one, or restart the host there.`);
      return;
    }
    this.#close();
    await end.finish();
    if (socket.destroyed) end.exit();
    else socket.end(frameOf({ id, result: null }), end.exit);
  }

  /** Why a client of the same user cannot join; undefined if it can. */
  #refusal(protocolVersion: number): string | undefined {
    if (protocolVersion !== PROTOCOL_VERSION) {
      return (
        `The running agent host is of Gavel ${this.#options.gavelVersion} and speaks version ${PROTOCOL_VERSION} of the ` +
        `protocol, this client version ${protocolVersion}; update the older of the two, and stop the host.`
      );
    }
    if (this.#clients.size < MAX_CLIENTS) return undefined;
    return `The running agent host has ${MAX_CLIENTS} clients, which is the limit; close one, and try again.`;
  }

  #isToken(given: string): boolean {
    const [own, other] = [Buffer.from(this.#token), Buffer.from(given)];
    return own.length === other.length && timingSafeEqual(own, other);
  }
}

function refuse(socket: Socket, id: number | string, message: string): void {
  socket.write(frameOf({ id, error: { code: -32_600, message } }));
  socket.destroySoon();
}
