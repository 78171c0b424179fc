import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { messageOf } from "../../../shared/contract/errors.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { HostMetrics } from "./host-metrics.ts";
import type { HostState } from "./host-state.ts";

/** Those who watch a host send short requests, in milliseconds and bytes. */
const LIMITS = { headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 15_000, maxHeaderSize: 8 * 1024 };
const MOST_CONNECTIONS = 32;

const PLAIN = "text/plain; charset=utf-8";

/**
 * Tells over HTTP how a host does: `/healthz` (it runs), `/readyz` (it starts runs, and stores what happens) and `/metrics`
 * (for Prometheus). It has numbers alone, and does nothing, so it asks for no credentials.
 */
export class HealthEndpoint implements Disposable {
  readonly #server: Server;
  readonly #state: () => HostState;
  readonly #metrics: HostMetrics;

  private constructor(state: () => HostState) {
    this.#state = state;
    this.#metrics = new HostMetrics(state);
    this.#server = createServer(LIMITS, (request, response) => void this.#answer(request, response));
    this.#server.maxConnections = MOST_CONNECTIONS;
    // It keeps no host from ending.
    this.#server.unref();
  }

  /** @throws Error with one sentence when it cannot listen there. */
  static async listen({ host, port }: { host: string; port: number }, state: () => HostState): Promise<HealthEndpoint> {
    const endpoint = new HealthEndpoint(state);
    try {
      endpoint.#server.listen(port, host);
      await once(endpoint.#server, "listening");
    } catch (error) {
      throw new Error(`The metrics cannot be served on ${host}, port ${port}: ${messageOf(error)}.`);
    }
    return endpoint;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  observe(teamId: string, event: TeamEvent): void {
    this.#metrics.observe(teamId, event);
  }

  [Symbol.dispose](): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (method !== "GET" && method !== "HEAD") return end(response, 405, "Use GET or HEAD.");
    switch (url?.split("?", 1)[0]) {
      case "/healthz":
        return end(response, 200, "The agent host runs.");
      case "/readyz": {
        const problem = this.#problem();
        return end(response, problem === undefined ? 200 : 503, problem ?? "The agent host is ready.");
      }
      case "/metrics":
        return end(response, 200, await this.#metrics.text(), this.#metrics.contentType);
      default:
        return end(response, 404, "There are /healthz, /readyz and /metrics.");
    }
  }

  #problem(): string | undefined {
    const { isDraining, storage } = this.#state();
    if (isDraining) return "The agent host ends, and starts no more runs.";
    return storage === "saving" ? undefined : "What happens cannot be stored.";
  }
}

function end(response: ServerResponse, status: number, text: string, type = PLAIN): void {
  response.writeHead(status, {
    "content-type": type,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(type === PLAIN ? `${text}\n` : text);
}
