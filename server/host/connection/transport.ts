import {
  CancellationReceiverStrategy,
  CancellationSenderStrategy,
  type Connection,
  type ConnectionOptions,
  createConnection,
  ErrorCodes,
  IPCMessageReader,
} from "vscode-languageserver/node";
import type { Sender } from "../clients/acting.ts";
import { BatchedWriter } from "./batched-writer.ts";
import { answer, CheckedReader } from "./checked-reader.ts";
import { FrameReader } from "./frame-reader.ts";
import { IpcWriter } from "./ipc-writer.ts";
import { PatientWriter } from "./patient-writer.ts";

/** A connection, and what writes its messages. */
export interface Transport {
  readonly connection: Connection;
  readonly writer: PatientWriter;
  /** Whose messages are told apart from those of others; left out for the parent of the process. */
  readonly sender?: Sender;
}

/** A request is also cancelled as the client goes, which jsonrpc alone would report on stderr. */
export const CONNECTION_OPTIONS: ConnectionOptions = {
  cancellationStrategy: {
    receiver: CancellationReceiverStrategy.Message,
    sender: {
      sendCancellation: async (connection, id) => {
        try {
          await CancellationSenderStrategy.Message.sendCancellation(connection, id);
        } catch {
          // Where there is no client, nothing works on the request.
        }
      },
      cleanup: () => {},
    },
  },
};

/** The connection for the command line: `--stdio` or `--node-ipc` (PROTOCOL.md, "Process and transport"). */
export function connect(argv: readonly string[]): Transport {
  if (argv.includes("--stdio")) return overStdio();
  if (process.send !== undefined) return overParent();
  say("Start the host with --stdio, or with --node-ipc by a process with an IPC channel.");
  process.exit(2);
}

/** Writes a line where the client's user finds what a process had to say when it ended. */
const say = (line: string): boolean => process.stderr.write(`${line}\n`);

/** The client has exited when stdin ends, or when no one reads stdout any more. */
function overStdio(): Transport {
  const writer = new PatientWriter(new BatchedWriter(process.stdout));
  const reader = new FrameReader(process.stdin, ({ problem, isLost }) => {
    answer(writer, { id: null, error: { code: ErrorCodes.ParseError, message: problem } });
    if (!isLost) return;
    say(`${problem} The host ends, because it cannot find the next message.`);
    writer.end();
    leave();
  });
  const leave = (): never => process.exit(1);
  process.stdin.on("end", () => {
    if (reader.isWithinMessage) say("The input ended within a message.");
    leave();
  });
  process.stdin.on("close", leave);
  process.stdout.on("close", leave);
  return { connection: createConnection(new CheckedReader(reader, writer), writer, CONNECTION_OPTIONS), writer };
}

function overParent(): Transport {
  process.on("disconnect", () => process.exit(1));
  const writer = new PatientWriter(new IpcWriter());
  const reader = new CheckedReader(new IPCMessageReader(process), writer);
  return { connection: createConnection(reader, writer, CONNECTION_OPTIONS), writer };
}
