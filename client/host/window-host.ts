import { setTimeout as pause } from "node:timers/promises";
import { workspace } from "vscode";
import type { JoinedHost } from "../../socket/join-host.ts";
import { serveHost } from "../../socket/serve-host.ts";
import { AgentHostConnection, type ConnectionOptions } from "./connection.ts";
import type { Connect } from "./host-process.ts";
import { joinCurrent } from "./join-current.ts";
import { reachHost } from "./reach-host.ts";

/** Whether the user wants the host to go on when this window closes. A workspace cannot set it. */
export function wantsHostKept(): boolean {
  return workspace.getConfiguration("gavel").get("host.keepRunning") === true;
}

/** How this window gets a connection to the host of its storage folder; `optionsNow` is called for each. */
export const connectWindow =
  (optionsNow: () => ConnectionOptions): Connect =>
  async (listen, closed) => {
    const options = optionsNow();
    const { storagePath } = options.initialization;
    /** The connection has closed before it was used. */
    const lost = new Set<AgentHostConnection>();
    let used: AgentHostConnection | undefined;
    const connect = async (joined?: JoinedHost): Promise<AgentHostConnection> => {
      const hungUp = Promise.withResolvers<never>();
      let connection: AgentHostConnection | undefined;
      const starting = AgentHostConnection.start(options, joined, listen, () => {
        hungUp.reject(new Error("The agent host hung up while it was started."));
        if (connection !== undefined) lost.add(connection);
        if (connection !== undefined && connection === used) closed();
      });
      connection = await Promise.race([starting, hungUp.promise]);
      return connection;
    };
    used = await reachHost({
      join: () => joinCurrent(storagePath, options.version),
      use: connect,
      start: () => connect(),
      pause,
      serve: wantsHostKept() ? () => serve(options) : undefined,
    });
    if (lost.has(used)) closed();
    return used;
  };

function serve({ serverModule, initialization }: ConnectionOptions): ReturnType<typeof serveHost> {
  const { storagePath, globalStoragePath, scratchPath, mcpFiles, store, link } = initialization;
  return serveHost({
    serverModule,
    options: { storagePath, globalStoragePath, scratchPath, mcpFiles },
    store,
    link,
    env: process.env,
  });
}
