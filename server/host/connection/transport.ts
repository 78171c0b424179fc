import { type Connection, createConnection, StreamMessageReader } from "vscode-languageserver/node";
import { BatchedWriter } from "./batched-writer.ts";

/** The connection that the command line asks for: `--stdio` or `--node-ipc` (contract, section 1). */
export function connect(argv: readonly string[]): Connection {
  return argv.includes("--stdio") ? overStdio() : overParent();
}

/** The end of stdin is the end of the client. */
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
