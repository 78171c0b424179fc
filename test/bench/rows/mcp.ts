import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { McpConnection } from "../../../server/mcp/connection.ts";
import { everything } from "../../contract/harness/mcp.ts";
import { HostClient } from "../../host-client.ts";
import { median, ms } from "../statistics.ts";
import type { Bench } from "./row.ts";

const CALLS = 300;
const STARTS = 15;
const SERVERS = 10;

/** A call of a server's tool over the same call by the bare SDK, and the host's start with servers that nothing needs. */
export const mcp: Bench = {
  name: "mcp",
  title: "MCP",
  async run(howOften) {
    const { own, bare } = await timeCalls(howOften(CALLS));
    const { none, ten } = await timeStarts(howOften(STARTS));
    const ratio = (a: number, b: number): string => `${(a / b).toFixed(2)} times`;
    return [
      {
        figure: "a call of an MCP tool over a bare SDK call",
        aim: "1.2",
        measured: `${ratio(own, bare)}, ${ms(own)} over ${ms(bare)}`,
      },
      {
        figure: `host ready with ${SERVERS} MCP servers configured, over none`,
        aim: "1",
        measured: `${ratio(ten, none)}, ${ms(ten)} over ${ms(none)}`,
      },
    ];
  },
};

const { command, args = [] } = "command" in everything ? everything : { command: "" };

/** Both with a server of their own, turn about. */
async function timeCalls(times: number): Promise<{ readonly own: number; readonly bare: number }> {
  const signal = new AbortController().signal;
  const env = { PATH: process.env["PATH"] ?? "" };
  const nothing = (): void => {};
  const connection = await McpConnection.open(
    {
      name: "bench",
      address: { program: { command, args, cwd: tmpdir(), env } },
      roots: () => [],
      elicit: async () => ({ action: "decline" }),
      log: nothing,
      toolsChanged: nothing,
      closed: nothing,
    },
    signal,
  );
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StdioClientTransport({ command, args: [...args], env, stderr: "ignore" }));
  const tool = connection.tools.find(({ name }) => name === "echo");
  if (tool === undefined) throw new Error("The server has no tool echo.");
  const input = { message: "hello" };
  const own: number[] = [];
  const bare: number[] = [];
  for (let at = 0; at < times; at++) {
    own.push(await timed(() => connection.callTool(tool, input, { signal, progress: nothing })));
    bare.push(await timed(() => client.callTool({ name: "echo", arguments: input })));
  }
  await connection.close();
  await client.close();
  return { own: median(own), bare: median(bare) };
}

async function timeStarts(times: number): Promise<{ readonly none: number; readonly ten: number }> {
  const folder = await mkdtemp(join(tmpdir(), "gavel-bench-"));
  await mkdir(join(folder, ".vscode"));
  const servers = Object.fromEntries(Array.from({ length: SERVERS }, (_, at) => [`server${at}`, everything]));
  await writeFile(join(folder, ".vscode", "mcp.json"), JSON.stringify({ servers }));
  const folders = [pathToFileURL(folder).href];
  const none: number[] = [];
  const ten: number[] = [];
  for (let at = 0; at < times; at++) {
    none.push(await timeStart({}));
    ten.push(await timeStart({ folders, settings: { "gavel.mcp.servers": servers } }));
  }
  await rm(folder, { recursive: true, force: true });
  return { none: median(none), ten: median(ten) };
}

async function timeStart(options: Parameters<typeof HostClient.start>[0]): Promise<number> {
  const started = performance.now();
  const host = await HostClient.start(options);
  const taken = performance.now() - started;
  await host.shutdown();
  return taken;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
