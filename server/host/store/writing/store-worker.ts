import { parentPort, workerData } from "node:worker_threads";
import type { FromWorker, ToWorker, WorkerStart } from "./worker-messages.ts";
import { WriteConnection } from "./write-connection.ts";

// The thread that writes the store, so that neither the disk nor another program's lock stops the host's event loop.
const port = parentPort;
if (port === null) throw new Error("store-worker runs as a worker thread.");
const { folder } = workerData as WorkerStart;
/** How long nothing is written before the store is tidied up, in milliseconds. */
const IDLE = 200;
const connection = new WriteConnection(folder);

let tidying: ReturnType<typeof setTimeout> | undefined;

port.on("message", (message: ToWorker) => {
  connection.isRead = message.isRead;
  if (message.kind === "execute") {
    const answer: FromWorker = { kind: "outcomes", outcomes: connection.execute(message.batch) };
    port.postMessage(answer);
    if (tidying === undefined) tidying = setTimeout(() => connection.tidy(), IDLE);
    else tidying.refresh();
    return;
  }
  clearTimeout(tidying);
  if (message.batch.length > 0) connection.execute(message.batch);
  connection[Symbol.dispose]();
  Atomics.store(message.closed, 0, 1);
  Atomics.notify(message.closed, 0);
  port.close();
});
