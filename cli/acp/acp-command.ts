import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { originOf } from "../arguments/origin.ts";
import type { RunOptions } from "../arguments/parse.ts";
import { startTelemetry } from "../telemetry/start-telemetry.ts";
import type { Ending } from "../terminal/ending.ts";
import { AcpAgent } from "./acp-agent.ts";

/** `gavel acp`: serves a team as an agent of the Agent Client Protocol, until the client closes the standard input. */
export async function acpCommand(options: RunOptions, ending: Ending): Promise<number> {
  await using telemetry = await startTelemetry(options);
  await using agent = new AcpAgent(options, { origins: options.allowOrigins.map(originOf), telemetry });
  const stream = ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin));
  const connection = agent.app().connect(stream);
  ending.signal.addEventListener("abort", () => connection.close());
  await connection.closed;
  return ending.code ?? 0;
}
