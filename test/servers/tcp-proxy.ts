import { once } from "node:events";
import { createServer, type Server, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** A way to a server of 127.0.0.1 that can be cut, slowed down, or swallow what is sent, as a network does. */
export class TcpProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #state: "open" | "cut" | "silent" = "open";
  /** How long each piece takes in addition, in milliseconds. */
  #delay = 0;
  #answerToLose: string | undefined;
  #cutBefore: string | undefined;

  private constructor(port: number) {
    this.#server = createServer((inner) => this.#connect(inner, port));
  }

  static async to(port: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(port);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The proxy does not listen.");
    return address.port;
  }

  /** The address of its server, by this way. */
  wayTo(address: string): string {
    const url = new URL(address);
    url.port = String(this.port);
    return url.href;
  }

  /**
   * Ends all connections, and new ones at once. Without a reset: a process of Node 24 that has reset a socket may wait for
   * it for ever when it exits.
   */
  cut(): void {
    this.#state = "cut";
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Passes nothing on in either direction, and ends nothing. */
  silence(): void {
    this.#state = "silent";
    for (const socket of this.#sockets) socket.pause();
  }

  /** From now on each piece takes so many milliseconds more, in either direction. */
  slow(ms: number): void {
    this.#delay = ms;
  }

  /** The next piece with this text reaches the server, and its answer is lost with the connection. */
  loseAnswerTo(text: string): void {
    this.#answerToLose = text;
  }

  /** It is cut before the next piece with this text reaches the server. */
  cutBefore(text: string): void {
    this.#cutBefore = text;
  }

  heal(): void {
    this.#state = "open";
    this.#delay = 0;
    for (const socket of this.#sockets) socket.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  #connect(inner: Socket, port: number): void {
    if (this.#state === "cut") {
      inner.destroy();
      return;
    }
    const outer = new Socket().connect(port, "127.0.0.1");
    for (const [socket, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      this.#sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        this.#sockets.delete(socket);
        // What was ended reaches the other one first.
        if (!other.writableEnded) other.destroy();
      });
      // One piece after the other, also where a later one has less delay.
      let before = Promise.resolve();
      socket.on("data", (bytes) => {
        if (socket === inner && this.#answerToLose !== undefined && bytes.includes(this.#answerToLose)) {
          this.#answerToLose = undefined;
          // The server reads all of it before it sees the end.
          outer.removeAllListeners("data").resume().end(bytes);
          inner.destroy();
          return;
        }
        if (socket === inner && this.#cutBefore !== undefined && bytes.includes(this.#cutBefore)) {
          this.#cutBefore = undefined;
          this.cut();
          return;
        }
        const delay = this.#delay;
        before = before.then(async () => {
          if (delay > 0) await pause(delay);
          other.write(bytes);
        });
      });
      if (this.#state === "silent") socket.pause();
    }
  }
}
