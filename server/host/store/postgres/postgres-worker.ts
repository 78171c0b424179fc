import { parentPort, workerData } from "node:worker_threads";
import type { FromWorker, ToWorker } from "../writing/worker-messages.ts";
import type { PostgresStart } from "./address.ts";
import { PostgresConnection } from "./postgres-connection.ts";

// The thread that writes a store on PostgreSQL, so that the lease is renewed however busy the host's event loop is.
const port = parentPort;
if (port === null) throw new Error("postgres-worker runs as a worker thread.");
const send = (message: FromWorker): void => port.postMessage(message);
const { host, address } = workerData as PostgresStart;
const connection = new PostgresConnection(host, address, (failure) => send({ kind: "lease", failure }));

port.on("message", async (message: ToWorker) => {
  if (message.kind === "execute") {
    send({ kind: "outcomes", outcomes: await connection.execute(message.batch) });
    return;
  }
  if (message.batch.length > 0) await connection.execute(message.batch);
  await connection.close();
  Atomics.store(message.closed, 0, 1);
  Atomics.notify(message.closed, 0);
  port.close();
});
