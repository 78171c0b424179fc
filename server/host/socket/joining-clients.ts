import type { Socket } from "node:net";
import * as z from "zod";
import { HostJoin, HostStop } from "../../../shared/contract/joining.ts";
import type { User } from "../../../shared/contract/people.ts";
import { PROTOCOL_VERSION } from "../../../shared/contract/version.ts";
import { frameOf, readFirstFrame } from "../../../socket/first-frame.ts";

/** How many clients there can be if not said otherwise, and how many that have not shown a token. */
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

/** What a client shows of itself. */
export type Shown = Pick<z.infer<typeof HostJoin.params>, "nonce" | "proof" | "token">;

/** Who a client is: `user` is left out for the user of the host itself, and `proof` shows that the host knows the token. */
export interface Known {
  readonly user?: User;
  readonly proof?: string;
}

export interface JoiningOptions {
  readonly gavelVersion: string;
  readonly keepsRunning: boolean;
  /** How many clients there can be; 64 if left out. */
  readonly most?: number;
  /** Whether a team runs now. */
  readonly isBusy: () => boolean;
  /** Who has shown that; undefined for someone who may not join. */
  readonly authenticate: (shown: Shown) => Known | undefined;
  /** A client has joined. */
  readonly accept: (stream: Socket, user?: User) => void;
  /** Ends the host; left out where that cannot be asked for. Undefined for a host with a parent. */
  readonly stop?: (() => HostEnd | undefined) | undefined;
}

/** The clients of one listener: whoever does not show a token is sent nothing. */
export class JoiningClients implements Disposable {
  readonly #options: JoiningOptions;
  readonly #clients = new Set<Socket>();
  readonly #unknown = new Set<Socket>();

  constructor(options: JoiningOptions) {
    this.#options = options;
  }

  /** How many clients have joined and not left. */
  get size(): number {
    return this.#clients.size;
  }

  /** Hangs up on all. */
  [Symbol.dispose](): void {
    for (const socket of [...this.#clients, ...this.#unknown]) socket.destroy();
  }

  /** Somebody has connected. */
  async add(socket: Socket): Promise<void> {
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
    const known = first.success ? this.#options.authenticate(first.data.params) : undefined;
    if (socket.destroyed || !first.success || known === undefined) socket.destroy();
    else if ("protocolVersion" in first.data.params)
      this.#join(socket, { ...known, id: first.data.id, protocolVersion: first.data.params.protocolVersion });
    else await this.#stop(socket, first.data.id);
  }

  #join(socket: Socket, { id, protocolVersion, ...known }: Joining): void {
    const refusal = this.#refusal(protocolVersion);
    if (refusal !== undefined) {
      refuse(socket, id, refusal);
      return;
    }
    this.#unknown.delete(socket);
    this.#clients.add(socket);
    const { gavelVersion, keepsRunning, isBusy, accept } = this.#options;
    const host = { protocolVersion: PROTOCOL_VERSION, gavelVersion, keepsRunning, isBusy: isBusy() };
    socket.write(frameOf({ id, result: { ...host, ...known } }));
    accept(socket, known.user);
  }

  async #stop(socket: Socket, id: number | string): Promise<void> {
    const { stop } = this.#options;
    if (stop === undefined) {
      refuse(socket, id, "Only the user of the host can end it; ask them, or leave it.");
      return;
    }
    const end = stop();
    if (end === undefined) {
      const who = `The agent host was started by another window or terminal (process ${process.ppid})`;
      refuse(socket, id, `${who}; close that one, or restart the host there.`);
      return;
    }
    await end.finish();
    if (socket.destroyed) end.exit();
    else socket.end(frameOf({ id, result: null }), end.exit);
  }

  /** Why a client that has shown a token cannot join; undefined if it can. */
  #refusal(protocolVersion: number): string | undefined {
    if (protocolVersion !== PROTOCOL_VERSION) {
      return (
        `The running agent host is of Gavel ${this.#options.gavelVersion} and speaks version ${PROTOCOL_VERSION} of the ` +
        `protocol, this client version ${protocolVersion}; update the older of the two, and stop the host.`
      );
    }
    const { most = MAX_CLIENTS } = this.#options;
    if (this.#clients.size < most) return undefined;
    return `The running agent host has ${most} clients, which is the limit; close one, and try again.`;
  }
}

interface Joining extends Known {
  readonly id: number | string;
  readonly protocolVersion: number;
}

function refuse(socket: Socket, id: number | string, message: string): void {
  socket.write(frameOf({ id, error: { code: -32_600, message } }));
  socket.destroySoon();
}
