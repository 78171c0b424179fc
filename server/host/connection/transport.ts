import {
  type Connection,
  createConnection,
  ErrorCodes,
  IPCMessageReader,
  IPCMessageWriter,
} from "vscode-languageserver/node";
import { BatchedWriter } from "./batched-writer.ts";
import { answer, CheckedReader } from "./checked-reader.ts";
import { FrameReader } from "./frame-reader.ts";

/** The connection for the command line: `--stdio` or `--node-ipc` (PROTOCOL.md, "Process and transport"). */
export function connect(argv: readonly string[]): Connection {
  if (argv.includes("--stdio")) return overStdio();
  if (process.send !== undefined) return overParent();
  say("Start the host with --stdio, or with --node-ipc by a process with an IPC channel.");
  process.exit(2);
}

/** Writes a line where the client's user finds what a process had to say when it ended. */
const say = (line: string): boolean => process.stderr.write(`${line}\n`);

/** The client has exited when stdin ends. */
function overStdio(): Connection {
  const writer = new BatchedWriter(process.stdout);
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
  return createConnection(new CheckedReader(reader, writer), writer);
}

function overParent(): Connection {
  process.on("disconnect", () => process.exit(1));
  const writer = new IPCMessageWriter(process);
  return createConnection(new CheckedReader(new IPCMessageReader(process), writer), writer);
}
