import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMessageConnection, type MessageConnection } from "vscode-jsonrpc/node";
import type * as z from "zod";
import { root } from "../../scripts/root.ts";
import type { TeamEventNotification } from "../../shared/contract/client-requests.ts";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { TeamEvents, TeamInterrupt, TeamOpen, TeamReset, TeamRun } from "../../shared/contract/requests.ts";

export const hostScript = join(root, "dist", "server.js");

type Result<M extends { readonly result: z.ZodType }> = z.infer<M["result"]>;

/** A language server's process and the connection to it. */
export interface ServerProcess {
  readonly process: ChildProcess;
  readonly connection: MessageConnection;
  stop(): Promise<void>;
}

/** Starts `node SCRIPT --stdio` and initializes it as an editor would. */
export async function startServer(script: string, initializationOptions: object = {}): Promise<ServerProcess> {
  const child = spawn(process.execPath, [script, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = createMessageConnection(child.stdout, child.stdin);
  connection.listen();
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    initializationOptions,
  });
  await connection.sendNotification("initialized", {});
  return {
    process: child,
    connection,
    async stop() {
      const closed = once(child, "close");
      const late = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await connection.sendRequest("shutdown");
      await connection.sendNotification("exit");
      await closed;
      clearTimeout(late);
      connection.dispose();
    },
  };
}

/** The built host with a store of its own on disk, as a client sees it. */
export class HostClient {
  readonly #server: ServerProcess;
  /** The folder that goes when the host stops, where it is the host's own. */
  readonly #scratch: string | undefined;

  private constructor(server: ServerProcess, scratch: string | undefined) {
    this.#server = server;
    this.#scratch = scratch;
  }

  /** A host with its store in `folder`, or in a folder of its own. */
  static async start(folder?: string): Promise<HostClient> {
    const scratch = folder === undefined ? await mkdtemp(join(tmpdir(), "gavel-bench-")) : undefined;
    return new HostClient(await startServer(hostScript, { storagePath: folder ?? scratch }), scratch);
  }

  onEvent(listener: (teamId: string, event: TeamEvent) => void): void {
    this.#server.connection.onNotification(
      "team/event",
      ({ teamId, event }: z.infer<typeof TeamEventNotification.params>) => listener(teamId, event),
    );
  }

  open(teamId: string, definition: TeamDefinition): Promise<Result<typeof TeamOpen>> {
    return this.#server.connection.sendRequest("team/open", { teamId, definition });
  }

  /** Opens a team that is stored. */
  reopen(teamId: string): Promise<Result<typeof TeamOpen>> {
    return this.#server.connection.sendRequest("team/open", { teamId });
  }

  /** The team's events after `after`. */
  events(teamId: string, after: number): Promise<Result<typeof TeamEvents>> {
    return this.#server.connection.sendRequest("team/events", { teamId, after });
  }

  run(teamId: string, task?: string): Promise<Result<typeof TeamRun>> {
    return this.#server.connection.sendRequest("team/run", { teamId, ...(task === undefined ? {} : { task }) });
  }

  reset(teamId: string): Promise<Result<typeof TeamReset>> {
    return this.#server.connection.sendRequest("team/reset", { teamId });
  }

  interrupt(teamId: string): Promise<Result<typeof TeamInterrupt>> {
    return this.#server.connection.sendRequest("team/interrupt", { teamId });
  }

  /** Milliseconds until the host has said that it does not know a request. */
  async roundTrip(): Promise<number> {
    const started = performance.now();
    await this.#server.connection.sendRequest("bench/nothing").catch(() => undefined);
    return performance.now() - started;
  }

  async stop(): Promise<void> {
    await this.#server.stop();
    if (this.#scratch !== undefined) await rm(this.#scratch, { recursive: true, force: true });
  }
}
