import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { frameOf, readFirstFrame } from "../../socket/first-frame.ts";
import { removeHostPlace, writeHostPlace } from "../../socket/place-file.ts";

const TOKEN = "t".repeat(43);

/** A host of a version to come that keeps running for a storage folder: it lets no one join, and ends when asked to. */
export class OtherHost implements Disposable {
  readonly refusal = "The running agent host is of Gavel 99.0.0";
  readonly #storagePath: string;
  readonly #folder = mkdtempSync(join(tmpdir(), "gavel-other-"));
  readonly #server: Server;

  private constructor(storagePath: string) {
    this.#storagePath = storagePath;
    this.#server = createServer((socket) => void this.#answer(socket));
  }

  static async start(storagePath: string): Promise<OtherHost> {
    const host = new OtherHost(storagePath);
    const address = join(host.#folder, "socket");
    host.#server.listen(address);
    await once(host.#server, "listening");
    chmodSync(address, 0o600);
    writeHostPlace(storagePath, { version: 1, address, token: TOKEN, pid: process.pid });
    return host;
  }

  [Symbol.dispose](): void {
    removeHostPlace(this.#storagePath, TOKEN);
    this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answer(socket: Socket): Promise<void> {
    const asked = await readFirstFrame(socket, { maxSize: 4_000, maxMs: 60_000 });
    const isStop = typeof asked === "object" && asked !== null && "method" in asked && asked.method === "host/stop";
    if (isStop) this[Symbol.dispose]();
    const message = `${this.refusal}; update the older of the two, and stop the host.`;
    socket.end(frameOf({ id: 0, ...(isStop ? { result: null } : { error: { code: -32_600, message } }) }));
  }
}
