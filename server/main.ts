import { Console } from "node:console";
import { compileEarly } from "./compile-early.ts";
import { AgentHost } from "./host/connection/agent-host.ts";
import { connect } from "./host/connection/transport.ts";
import { optionsToServe, serve } from "./serve.ts";

// stdout belongs to the protocol; packages may print to the console.
globalThis.console = new Console(process.stderr);

// Not left in the environment, which tools and the processes that they start could read.
const environmentKey = process.env["OPENAI_API_KEY"];
delete process.env["OPENAI_API_KEY"];

const host = new AgentHost(environmentKey);
process.on("exit", () => host[Symbol.dispose]());

const options = optionsToServe(process.argv);
if (options === undefined) startForParent();
else startAlone(options);
compileEarly();

function startForParent(): void {
  const { connection, writer } = connect(process.argv);
  onUncaught((error) => {
    if (isBrokenPipe(error)) process.exit(1);
    try {
      connection.console.error(textOf(error));
    } catch {
      // The connection is closed.
      process.exit(1);
    }
  });
  process.on("exit", () => writer.end());
  host.connectParent({ connection, writer });
}

function startAlone(toServe: NonNullable<typeof options>): void {
  onUncaught((error) => process.stderr.write(`${new Date().toISOString()} ${textOf(error)}\n`));
  serve(host, toServe).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}

function onUncaught(report: (error: unknown) => void): void {
  process.on("uncaughtException", report);
  process.on("unhandledRejection", report);
}

const textOf = (error: unknown): string =>
  `Uncaught: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;

/** The client has gone. */
function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED");
}
