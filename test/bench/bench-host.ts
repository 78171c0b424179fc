import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HostClient } from "../host-client.ts";

/** A client of the built host, whose store is on disk. */
export interface BenchHost {
  readonly client: HostClient;
  stop(): Promise<void>;
}

/** Starts a host with its store in `folder`, or in a folder that `stop` removes. */
export async function startBenchHost(folder?: string): Promise<BenchHost> {
  const storagePath = folder ?? (await mkdtemp(join(tmpdir(), "gavel-bench-")));
  const client = await HostClient.start({ storagePath, unchecked: true });
  return {
    client,
    async stop() {
      await client.shutdown();
      if (folder === undefined) await rm(storagePath, { recursive: true, force: true });
    },
  };
}

/** Milliseconds until the host has refused an unknown request. */
export async function roundTrip({ connection }: HostClient): Promise<number> {
  const started = performance.now();
  await connection.sendRequest("bench/nothing").catch(() => undefined);
  return performance.now() - started;
}
