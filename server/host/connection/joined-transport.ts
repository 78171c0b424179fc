import type { Duplex } from "node:stream";
import { createConnection, type WatchDog } from "vscode-languageserver";
import { createProtocolConnection, ErrorCodes } from "vscode-languageserver/node";
import { actAs, type Sender } from "../clients/acting.ts";
import { BatchedWriter } from "./batched-writer.ts";
import { answer, CheckedReader } from "./checked-reader.ts";
import { FrameReader } from "./frame-reader.ts";
import type { Guest } from "./guest.ts";
import { MessageRate } from "./message-rate.ts";
import { PatientWriter } from "./patient-writer.ts";
import { CONNECTION_OPTIONS, type Transport } from "./transport.ts";

/** A client that joins a host that runs already, and leaves it running. */
export interface JoinedTransport extends Transport {
  readonly sender: Sender;
  /** Left out for a user of this computer. */
  readonly guest?: Guest | undefined;
  /** Calls `listener` once when the connection has closed. */
  onClose(listener: () => void): void;
}

/**
 * A connection over a stream. Its `exit` closes the stream and not the process, and whose process has sent `initialize` does
 * not matter.
 */
export function joinedTransport(stream: Duplex, guest?: Guest): JoinedTransport {
  const sender: Sender = {};
  const writer = new PatientWriter(new BatchedWriter(stream));
  const reader = new FrameReader(stream, ({ problem, isLost }) => {
    answer(writer, { id: null, error: { code: ErrorCodes.ParseError, message: problem } });
    if (isLost) end();
  });
  const end = (): void => {
    writer.end();
    stream.end();
  };
  // What was not read yet must not keep a client that has hung up.
  stream.on("end", end);
  const rate = new MessageRate(stream);
  const checked = new CheckedReader(reader, writer, (work) => {
    rate.note();
    actAs(sender, work);
  });
  const watchDog: WatchDog = { shutdownReceived: false, initialize: () => {}, exit: end };
  const connection = createConnection(
    (logger) => createProtocolConnection(checked, writer, logger, CONNECTION_OPTIONS),
    watchDog,
  );
  return {
    connection,
    writer,
    sender,
    guest,
    onClose: (listener) => {
      stream.once("close", () => {
        // What is still asked of the client is answered with an error.
        connection.dispose();
        rate[Symbol.dispose]();
        listener();
      });
    },
  };
}
