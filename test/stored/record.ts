import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createMessageConnection, type MessageConnection } from "vscode-jsonrpc/node";
import * as z from "zod";
import { root } from "../../scripts/root.ts";
import { dump } from "./dump.ts";
import { type StoredTeamId, storedTeams } from "./stored-teams.ts";

/**
 * Writes what a host leaves in its store and in saved states, as a fixture that every later version must open:
 *
 *     npm run build && node_modules/.bin/node test/stored/record.ts VERSION [dist/server.js of that version]
 *
 * Run it once for each release, and commit test/fixtures/stored/VERSION. A fixture that was released is never written again.
 * Nothing here reads with today's schemas: the host may be of any version.
 */
const [version, server = join(root, "dist", "server.js")] = process.argv.slice(2);
if (version === undefined) throw new Error("Give the version to record, such as 0.4.0.");

const Event = z.looseObject({ type: z.string(), path: z.array(z.string()).optional() });
const TeamEventParams = z.object({ teamId: z.string(), event: Event });
const Pending = z.object({ pendingTools: z.array(z.object({ ref: z.string() })) });

interface Host {
  readonly connection: MessageConnection;
  /** Resolves on the `nth` event of that type of a team, from now on. */
  readonly next: (teamId: string, type: string, nth?: number) => Promise<void>;
}

/** How each team comes into the state that it is stored in. */
const record: Readonly<Record<StoredTeamId, (host: Host, teamId: string) => Promise<void>>> = {
  finished: run,
  interrupted: interruptedWhileStreaming,
  asked: async (host, teamId) => {
    await run(host, teamId);
    const streamed = host.next(teamId, "message/chunk", 5);
    void request(host, "team/sendUserMessage", { teamId, to: "bob", messages: "Why?" }).catch(() => {});
    await streamed;
    await request(host, "team/interrupt", { teamId });
  },
  pending: run,
  waiting: async (host, teamId) => {
    const streamed = host.next(teamId, "message/chunk", 5);
    const running = run(host, teamId);
    await streamed;
    for (const messages of ["First?", "Second?"]) {
      const message = { teamId, to: "bob", messages, delivery: "queue" };
      void request(host, "team/sendUserMessage", message).catch(() => {});
    }
    await request(host, "team/interrupt", { teamId });
    await running;
  },
  swarm: interruptedWhileStreaming,
  selector: interruptedWhileStreaming,
  graph: interruptedWhileStreaming,
  magentic: interruptedWhileStreaming,
  nested: interruptedWhileStreaming,
  nestedPending: run,
  user: run,
  edits: async (host, teamId) => {
    await run(host, teamId);
    const { pendingTools } = Pending.parse(await request(host, "team/inspect", { teamId }));
    await request(host, "team/resolveTools", { teamId, restart: pendingTools.map(({ ref }) => ({ ref })) });
  },
  killedStreaming: async (host, teamId) => {
    const streamed = host.next(teamId, "message/chunk", 10);
    void run(host, teamId).catch(() => {});
    await streamed;
  },
  killedInTool: async (host, teamId) => {
    const started = host.next(teamId, "tool/started");
    void run(host, teamId).catch(() => {});
    await started;
  },
};

async function run(host: Host, teamId: string): Promise<void> {
  await request(host, "team/run", { teamId, task: "go" });
}

async function interruptedWhileStreaming(host: Host, teamId: string): Promise<void> {
  // By then the short lines are complete.
  const streamed = host.next(teamId, "message/chunk", 9);
  const running = run(host, teamId);
  await streamed;
  await request(host, "team/interrupt", { teamId });
  await running;
}

function request(host: Host, method: string, params: object): Promise<unknown> {
  return host.connection.sendRequest(method, params);
}

const scratch = mkdtempSync(join(tmpdir(), "gavel-stored-"));
const workspace = join(scratch, "workspace");
mkdirSync(workspace);
writeFileSync(join(workspace, "a.txt"), "one\ntwo\n");
const child = spawn(process.execPath, [resolve(server), "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
try {
  const host = await connect();
  const states: Record<string, unknown> = {};
  for (const [teamId, definition] of Object.entries(storedTeams)) {
    const opened = await request(host, "team/open", { teamId, definition }).catch((error: Error) => error);
    if (opened instanceof Error) {
      console.log(`${version} does not know ${teamId}: ${opened.message}`);
      continue;
    }
    await record[teamId as StoredTeamId](host, teamId);
    if (!teamId.startsWith("killed")) states[teamId] = await request(host, "team/saveState", { teamId });
  }
  for (const [decision, tool] of [
    ["allow", "allowed"],
    ["deny", "denied"],
  ]) {
    const rule = { decision, tool, scope: "workspace" };
    await request(host, "approvals/add", { rule }).catch((error) => console.log(String(error)));
  }
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;

  const folder = join(root, "test", "fixtures", "stored", version);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "gavel.sql"), dump(join(scratch, "storage", "gavel.db"), workspace));
  writeFileSync(join(folder, "saved-states.json"), `${JSON.stringify(states)}\n`);
} finally {
  child.kill("SIGKILL");
  rmSync(scratch, { recursive: true, force: true });
}

async function connect(): Promise<Host> {
  const connection = createMessageConnection(child.stdout, child.stdin);
  const listeners = new Set<(message: z.infer<typeof TeamEventParams>) => void>();
  connection.onNotification("team/event", (params) => {
    const message = TeamEventParams.parse(params);
    for (const listener of listeners) listener(message);
  });
  connection.onRequest("workspace/configuration", ({ items }: { items: unknown[] }) => items.map(() => null));
  connection.onRequest("tools/call", () => new Promise(() => {}));
  connection.listen();
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: [{ uri: pathToFileURL(workspace).href, name: "workspace" }],
    capabilities: { workspace: { configuration: true, workspaceFolders: true } },
    initializationOptions: { storagePath: join(scratch, "storage") },
  });
  await connection.sendNotification("initialized", {});
  await connection.sendRequest("tools/register", {
    tools: [{ name: "launch", description: "Launches.", inputSchema: {} }],
  });
  const next = (teamId: string, type: string, nth = 1): Promise<void> => {
    let missing = nth;
    return new Promise((done) => {
      const listener = (message: z.infer<typeof TeamEventParams>): void => {
        if (message.teamId !== teamId || message.event.type !== type || --missing > 0) return;
        listeners.delete(listener);
        done();
      };
      listeners.add(listener);
    });
  };
  return { connection, next };
}
