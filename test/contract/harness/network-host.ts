import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/root.ts";
import type { NetworkOptions } from "../../../shared/contract/joining.ts";
import { joinRemoteHost } from "../../../socket/join-remote-host.ts";
import { serveHost } from "../../../socket/serve-host.ts";
import { stopHost } from "../../../socket/stop-host.ts";
import { addUser } from "../../../socket/users-file.ts";
import { SERVER } from "../../host-client.ts";
import { JoinedClient, type JoinedOptions } from "./joined-client.ts";

const certificates = join(root, "test/fixtures/certificates");

/** The certificate of the host, and its key. */
export const TLS = { certificate: join(certificates, "server.pem"), key: join(certificates, "server.key") };

/** The certificate of its authority, which guests are given. */
export const AUTHORITY = join(certificates, "authority.pem");

/** A host without a parent that users of other computers join, with a token for each. */
export class NetworkHost implements AsyncDisposable {
  readonly port: number;
  readonly #storagePath: string;
  readonly #users: string;

  private constructor(storagePath: string, users: string, port: number) {
    this.#storagePath = storagePath;
    this.#users = users;
    this.port = port;
  }

  static storageIn(folder: string): string {
    return join(folder, "store");
  }

  static async start(folder: string): Promise<NetworkHost> {
    const storagePath = NetworkHost.storageIn(folder);
    const users = join(folder, "users.json");
    addUser(users, { id: "ada", name: "Ada Poe" });
    const network: NetworkOptions = { host: "127.0.0.1", port: 0, users, ...TLS };
    const { OPENAI_API_KEY: _, ...env } = process.env;
    const { port } = await serveHost({ serverModule: SERVER, options: { storagePath, network }, env });
    assert.ok(port !== undefined);
    return new NetworkHost(storagePath, users, port);
  }

  /** A client on the computer of the host. */
  local(options: Omit<JoinedOptions, "storagePath"> = {}): Promise<JoinedClient> {
    return JoinedClient.join({ storagePath: this.#storagePath, ...options });
  }

  /** A client of a user who has been added. */
  async guest(id: string, options: Omit<JoinedOptions, "storagePath"> = {}): Promise<JoinedClient> {
    const token = addUser(this.#users, { id, name: `${id} of another computer` });
    const certificate = readFileSync(AUTHORITY, "utf8");
    const joined = await joinRemoteHost({ host: "127.0.0.1", port: this.port, token, certificate });
    return JoinedClient.over(joined, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await stopHost(this.#storagePath);
  }
}
