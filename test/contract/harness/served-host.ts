import type { ServeOptions } from "../../../shared/contract/joining.ts";
import { readHostPlace } from "../../../socket/place-file.ts";
import { serveHost } from "../../../socket/serve-host.ts";
import { stopHost } from "../../../socket/stop-host.ts";
import { SERVER } from "../../host-client.ts";
import { JoinedClient, type JoinedOptions } from "./joined-client.ts";

/** A host without a parent, which ends with the test. */
export class ServedHost implements AsyncDisposable {
  readonly #options: ServeOptions;

  private constructor(options: ServeOptions) {
    this.#options = options;
  }

  static async start(options: ServeOptions): Promise<ServedHost> {
    const { OPENAI_API_KEY: _, ...env } = process.env;
    await serveHost({ serverModule: SERVER, options, env });
    return new ServedHost(options);
  }

  join(options: Omit<JoinedOptions, "storagePath"> = {}): Promise<JoinedClient> {
    return JoinedClient.join({ storagePath: this.#options.storagePath, ...options });
  }

  /** Kills its process, and starts another. `clients` are those that are connected to it. */
  async kill(clients: readonly JoinedClient[]): Promise<ServedHost> {
    const { storagePath } = this.#options;
    const { pid } = readHostPlace(storagePath) ?? {};
    if (pid === undefined) throw new Error("No host runs.");
    const witness = await this.join();
    process.kill(pid, "SIGKILL");
    await Promise.all([witness, ...clients].map((client) => client.closed()));
    return ServedHost.start(this.#options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await stopHost(this.#options.storagePath);
  }
}
