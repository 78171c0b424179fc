import { type Connection, createConnection, StreamMessageReader } from "vscode-languageserver/node";
import { BatchedWriter } from "./batched-writer.ts";

/** The connection for the command line: `--stdio` or `--node-ipc` (PROTOCOL.md, "Process and transport"). */
export function connect(argv: readonly string[]): Connection {
  return argv.includes("--stdio") ? overStdio() : overParent();
}

/** The client has exited when stdin ends. */
function overStdio(): Connection {
  const connection = createConnection(new StreamMessageReader(process.stdin), new BatchedWriter(process.stdout));
  const leave = (): never => process.exit(1);
  process.stdin.on("end", leave);
  process.stdin.on("close", leave);
  return connection;
}

function overParent(): Connection {
  process.on("disconnect", () => process.exit(1));
  return createConnection();
}
