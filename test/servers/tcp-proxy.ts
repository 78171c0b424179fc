import { once } from "node:events";
import { createServer, type Server, Socket } from "node:net";

/** A way to a server of 127.0.0.1 that can be cut, or swallow what is sent, as a network does. */
export class TcpProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #state: "open" | "cut" | "silent" = "open";

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

  heal(): void {
    this.#state = "open";
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
        other.destroy();
      });
      socket.on("data", (bytes) => other.write(bytes));
      if (this.#state === "silent") socket.pause();
    }
  }
}
