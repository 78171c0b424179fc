import { HostClient, type HostOptions } from "./host-client.ts";

/** The host that a command uses. When one that it had joined ends, another takes its place. */
export class CurrentHost implements AsyncDisposable {
  readonly #options: HostOptions;
  #client: HostClient;

  private constructor(options: HostOptions, client: HostClient) {
    this.#options = options;
    this.#client = client;
  }

  /** @throws HostError when it refuses, or cannot be started. */
  static async start(options: HostOptions): Promise<CurrentHost> {
    return new CurrentHost(options, await HostClient.start(options));
  }

  get client(): HostClient {
    return this.#client;
  }

  /** Joins the host that runs now, or starts one. @throws HostError */
  async replace(): Promise<HostClient> {
    await this.#client[Symbol.asyncDispose]();
    this.#client = await HostClient.start(this.#options);
    return this.#client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client[Symbol.asyncDispose]();
  }
}
