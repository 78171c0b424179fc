import type { RemoteConsole } from "vscode-languageserver/node";
import type { HostLog } from "./host-log.ts";

/** The log that the client shows. A line for a client that has gone is dropped: what writes it has work of its own to do. */
export function clientLog(console: RemoteConsole): HostLog {
  const line = (level: keyof HostLog) => (message: string) => {
    try {
      console[level](message);
    } catch {
      // The connection is closed.
    }
  };
  return { error: line("error"), warn: line("warn"), info: line("info"), debug: line("debug") };
}
