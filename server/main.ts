import { Console } from "node:console";
import { compileEarly } from "./compile-early.ts";
import { AgentHost } from "./host/connection/agent-host.ts";
import { connect } from "./host/connection/transport.ts";

// stdout belongs to the protocol; packages may print to the console.
globalThis.console = new Console(process.stderr);

// Not left in the environment, which tools and the processes that they start could read.
const environmentKey = process.env["OPENAI_API_KEY"];
delete process.env["OPENAI_API_KEY"];

/** The client has gone. */
const isBrokenPipe = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED");

const { connection, writer } = connect(process.argv);
const host = new AgentHost(environmentKey);

const report = (error: unknown): void => {
  if (isBrokenPipe(error)) process.exit(1);
  try {
    connection.console.error(`Uncaught: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  } catch {
    // The connection is closed.
    process.exit(1);
  }
};
process.on("uncaughtException", report);
process.on("unhandledRejection", report);
process.on("exit", () => {
  host[Symbol.dispose]();
  writer.end();
});

compileEarly();
host.connectParent({ connection, writer });
