import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { ProgramQuestion } from "../../shared/contract/program.ts";
import { ApprovalsAdd, McpChange, McpList, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { HostClient, type HostOptions } from "../host-client.ts";
import { call, fixture, withServers } from "./harness/mcp.ts";
import { Scratch } from "./harness/scratch.ts";
import { sseServer } from "./harness/sse-server.ts";

/** A host whose user allows every program, and the questions about them. */
async function hostOf(options: HostOptions) {
  const asked: ProgramQuestion[] = [];
  const host = await HostClient.start({ onProgram: (question) => asked.push(question) > 0, ...options });
  const listed = async () => (await host.send(McpList, {})).servers;
  const start = async (name: string) => {
    const { id = "" } = (await listed()).find((server) => server.name === name) ?? {};
    await host.send(McpChange, { id, action: "start" });
    return (await listed()).find((server) => server.id === id);
  };
  return { host, asked, listed, start };
}

const variables = (question: ProgramQuestion | undefined): readonly string[] =>
  question !== undefined && "environment" in question.start ? question.start.environment.toSorted() : [];

describe("the user's own mcp.json", () => {
  it("gives servers to every workspace, after those of the workspace and the setting, and need not exist", async () => {
    using scratch = new Scratch();
    const path = join(scratch.path, "mcp.json");
    const mcpFiles = [path, join(scratch.path, "missing.json")];
    const folder = join(scratch.path, "work");
    mkdirSync(join(folder, ".vscode"), { recursive: true });
    writeFileSync(join(folder, ".vscode", "mcp.json"), JSON.stringify({ servers: { both: fixture("") } }));
    const settings = { "gavel.mcp.servers": { three: fixture("") } };
    const { host, asked, listed, start } = await hostOf({ mcpFiles, folders: [pathToFileURL(folder).href], settings });
    await using _ = host;
    assert.deepEqual(
      (await listed()).map(({ name }) => name),
      ["both", "three"],
    );
    // It is read whenever a server is looked for.
    writeFileSync(path, JSON.stringify({ servers: { mine: fixture(""), both: fixture("env") } }));
    const from = pathToFileURL(path).href;
    assert.partialDeepStrictEqual(await start("mine"), { state: "running", from, tools: ["mine/act"] });
    assert.partialDeepStrictEqual(asked, [{ name: "mine", from }]);
    const team = withServers({}, ["both/act", "mine/act"], [call("both/act"), call("mine/act"), "done"]);
    await host.send(TeamOpen, { teamId: "t", definition: team });
    await host.send(ApprovalsAdd, { rule: { decision: "allow", tool: "*", scope: "workspace" } });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const outputs = host.eventsOf("t").flatMap((event) => (event.type === "tool/executed" ? [event.output] : []));
    assert.deepEqual(outputs, ["acted", "acted"]);
  });
});

describe("the envFile of an MCP server", () => {
  it("gives it variables, which the user is shown and asked about again when they change", async () => {
    using scratch = new Scratch();
    mkdirSync(join(scratch.path, ".vscode"));
    const envFile = `\${workspaceFolder}/.env`;
    const server = { ...fixture("env"), envFile, env: { ABOVE: "from env" } };
    writeFileSync(join(scratch.path, ".vscode", "mcp.json"), JSON.stringify({ servers: { env: server } }));
    const { host, asked, start } = await hostOf({ folders: [pathToFileURL(scratch.path).href] });
    await using _ = host;
    const missing = await start("env");
    assert.equal(
      missing?.problem,
      `The MCP server "env" was not started, as its envFile ${join(scratch.path, ".env")} does not exist or cannot be read; correct it in mcp.json, or see the log.`,
    );
    assert.deepEqual(asked, []);
    const write = (text: string): void => writeFileSync(join(scratch.path, ".env"), text);
    write('# one\nTOKEN="a b"\nABOVE=below\n');
    assert.equal((await start("env"))?.state, "running");
    assert.deepEqual(variables(asked[0]), ["ABOVE=from env", "TOKEN=a b"]);
    await start("env");
    assert.equal(asked.length, 1);
    write("TOKEN=c\nNODE_OPTIONS=--require ./evil.cjs\n");
    await start("env");
    assert.equal(asked.length, 2);
    assert.deepEqual(variables(asked[1]), ["ABOVE=from env", "NODE_OPTIONS=--require ./evil.cjs", "TOKEN=c"]);
  });
});

describe("an MCP server with type: sse", () => {
  it("is reached by HTTP with SSE, with its headers", async () => {
    await using server = await sseServer();
    const { url } = server;
    const { host, asked } = await hostOf({});
    await using _ = host;
    const old = { type: "sse", url, headers: { Authorization: "Bearer x" }, oauth: { clientId: "me" } } as const;
    await host.send(TeamOpen, { teamId: "t", definition: withServers({ old }, ["old/*"], [call("old/act"), "done"]) });
    await host.send(ApprovalsAdd, { rule: { decision: "allow", tool: "*", scope: "workspace" } });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const executed = await host.event("t", ({ type }) => type === "tool/executed");
    assert.partialDeepStrictEqual(executed, { output: "acted over sse", isError: false });
    assert.partialDeepStrictEqual(asked, [{ start: { url, headers: ["Authorization: Bearer x"], oauthClient: "me" } }]);
    assert.ok(server.authorizations.every((one) => one === "Bearer x"));
  });

  it("needs no type: one that refuses Streamable HTTP is reached by HTTP with SSE", async () => {
    await using bad = await sseServer(400);
    await using absent = await sseServer(404);
    await using notAllowed = await sseServer(405);
    const names = { bad: { url: bad.url }, absent: { url: absent.url }, notAllowed: { url: notAllowed.url } };
    const { host, start } = await hostOf({ settings: { "gavel.mcp.servers": names } });
    await using _ = host;
    for (const name of Object.keys(names)) {
      assert.partialDeepStrictEqual(await start(name), { state: "running", tools: [`${name}/act`] });
    }
  });

  it("is told how Streamable HTTP failed if it knows neither", async () => {
    await using server = await sseServer(404, 500);
    const { host, start } = await hostOf({ settings: { "gavel.mcp.servers": { old: { url: server.url } } } });
    await using _ = host;
    const { problem = "" } = (await start("old")) ?? {};
    assert.match(
      problem,
      /^The MCP server "old" answered with HTTP 404; correct it in the setting gavel\.mcp\.servers/,
    );
  });
});
