import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";

/** How long the user may take to sign in, in milliseconds. */
const SIGN_IN_MS = 300_000;

/** Where the browser comes back to after a sign-in: a small server on this computer's loopback address. */
export class RedirectListener implements Disposable {
  readonly #path: string;
  #server: Server | undefined;
  #port = 0;
  /** Which sign-in an answer belongs to; empty while none is expected. */
  #state = "";
  #answer = Promise.withResolvers<URLSearchParams>();

  private constructor(path: string) {
    this.#path = path;
  }

  /** Listens until it is disposed, at the first of the ports that is free; 0 is any. @throws Error when none is free. */
  static async listen(ports: readonly number[], path: string): Promise<RedirectListener> {
    const listener = new RedirectListener(path);
    for (const port of ports) if (await listener.#listenAt(port)) return listener;
    throw new Error("could not be started, as no port is free for its sign-in");
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}${this.#path}`;
  }

  /** Expects the answer to one sign-in from here on, and to no other. Returns the state that the answer must have. */
  expect(): string {
    this.#state = randomBytes(16).toString("base64url");
    this.#answer = Promise.withResolvers<URLSearchParams>();
    this.#answer.promise.catch(() => undefined);
    return this.#state;
  }

  /** What the authorization server answered, once the user has signed in. @throws Error when the user does not in time. */
  async answer(): Promise<URLSearchParams> {
    const { promise, reject } = this.#answer;
    const late = setTimeout(() => reject(new Error("was not started, as you did not sign in in time")), SIGN_IN_MS);
    late.unref();
    try {
      return await promise;
    } finally {
      clearTimeout(late);
      this.#state = "";
    }
  }

  /** Nothing waits for the answer any more. */
  giveUp(): void {
    this.#answer.reject(new Error("was not started, as you did not sign in"));
  }

  [Symbol.dispose](): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  #listenAt(port: number): Promise<boolean> {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://127.0.0.1");
      const state = url.searchParams.get("state") ?? "";
      const isAnswer = url.pathname === this.#path && this.#state !== "" && isSame(state, this.#state);
      response.writeHead(isAnswer ? 200 : 404, { "content-type": "text/plain; charset=utf-8", connection: "close" });
      response.end(isAnswer ? "You can close this page and return to VS Code." : "There is nothing here.");
      if (isAnswer) this.#answer.resolve(url.searchParams);
    });
    return new Promise((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => {
        const address = server.address();
        if (typeof address === "object" && address !== null) this.#port = address.port;
        this.#server = server;
        server.unref();
        resolve(true);
      });
    });
  }
}

/** Compares digests, so that the time says nothing of the text. */
const isSame = (a: string, b: string): boolean => digest(a) === digest(b);
const digest = (text: string): string => createHash("sha256").update(text).digest("base64");
