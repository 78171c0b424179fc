import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { ProgramQuestion } from "../../shared/contract/program.ts";
import { ApprovalsAdd, McpChange, McpList, ProgramsForget, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { HostClient, type HostOptions, refusal } from "../host-client.ts";
import { call, everything, filesystem, fixture, withServers } from "./harness/mcp.ts";
import { Scratch } from "./harness/scratch.ts";

const ALLOW_ALL = { decision: "allow", tool: "*", scope: "workspace" } as const;

async function outputsOf(
  host: HostClient,
  servers: Parameters<typeof withServers>[0],
  calls: readonly string[],
  input = {},
) {
  const lines = [...calls.map((name) => call(name, input)), "done"];
  await host.send(TeamOpen, { teamId: "t", definition: withServers(servers, [...new Set(calls)], lines) });
  await host.send(ApprovalsAdd, { rule: ALLOW_ALL });
  const { status } = await host.send(TeamRun, { teamId: "t", task: "go" });
  assert.equal(status.code, "success");
  return host.eventsOf("t").flatMap((event) => (event.type === "tool/executed" ? [event.output] : []));
}

function hostOf(options: HostOptions = {}) {
  const asked: ProgramQuestion[] = [];
  const onProgram = (question: ProgramQuestion): boolean => asked.push(question) > 0;
  return { asked, start: () => HostClient.start({ onProgram, ...options }) };
}

describe("MCP servers of the workspace and of the user", () => {
  it("are used by name, with what the user enters filled in, and nothing of it in the log", async () => {
    using scratch = new Scratch();
    const folder = join(scratch.path, "work");
    mkdirSync(join(folder, ".vscode"), { recursive: true });
    const { command, args } = { args: [], ...fixture("env"), command: process.execPath };
    writeFileSync(
      join(folder, ".vscode", "mcp.json"),
      `// the servers of this folder
      { "inputs": [{ "id": "key", "type": "promptString", "description": "The key", "password": true }],
        "servers": { "mine": { "type": "stdio", "command": ${JSON.stringify(command)}, "args": ${JSON.stringify(args)},
          "env": { "KEY": "\${input:key}", "FOLDER": "\${workspaceFolder}", "gallery": "x" }, }, "old": { "type": "tcp", "url": "http://x" } } }`,
    );
    const inputs: unknown[] = [];
    const { asked, start } = hostOf({
      folders: [pathToFileURL(folder).href],
      onInput: (question) => {
        inputs.push(question);
        return "s3cret-value";
      },
    });
    await using host = await start();
    const [output] = await outputsOf(host, {}, ["mine/act"]);
    const env = JSON.parse(String(output));
    assert.equal(env.KEY, "s3cret-value");
    assert.partialDeepStrictEqual(inputs, [{ server: "mine", id: "key", description: "The key", password: true }]);
    assert.partialDeepStrictEqual(asked, [
      { name: "mine", from: pathToFileURL(join(folder, ".vscode", "mcp.json")).href },
    ]);
    assert.doesNotMatch(JSON.stringify(asked), /s3cret/);
    assert.doesNotMatch(JSON.stringify(host.logs), /s3cret/);
    await host.send(McpList, {});
    const leftOut = host.logs.filter(({ message }) => message.includes('The server "old" is left out'));
    assert.equal(leftOut.length, 1);
  });

  it("of the user's settings are used too, and a name that no server has is a mistake of the team", async () => {
    const { start, asked } = hostOf({ settings: { "gavel.mcp.servers": { own: fixture("") } } });
    await using host = await start();
    assert.deepEqual(await outputsOf(host, {}, ["own/act"]), ["acted"]);
    assert.equal(asked[0]?.from, undefined);
    const wrong = await refusal(host.send(TeamOpen, { teamId: "u", definition: withServers({}, ["owm/act"], ["x"]) }));
    assert.match(JSON.stringify(wrong.data.problems), /unknown MCP server \\"owm\\"; did you mean \\"own\\"/);
  });

  it("are listed, stopped and started, and stopped when they are not allowed any more", async () => {
    const { start, asked } = hostOf({ settings: { "gavel.mcp.servers": { own: fixture("") } } });
    await using host = await start();
    const only = async () => (await host.send(McpList, {})).servers[0];
    const { id = "" } = (await only()) ?? {};
    assert.partialDeepStrictEqual(await only(), { name: "own", state: "stopped", tools: [] });
    await host.send(McpChange, { id, action: "start" });
    assert.partialDeepStrictEqual(await only(), { state: "running", tools: ["own/act"] });
    await host.send(McpChange, { id, action: "stop" });
    assert.partialDeepStrictEqual(await only(), { state: "stopped" });
    await host.send(McpChange, { id, action: "start" });
    await host.send(ProgramsForget, { digest: asked[0]?.digest ?? "" });
    assert.partialDeepStrictEqual(await only(), { state: "stopped" });
    assert.equal(asked.length, 1);
    await host.send(McpChange, { id, action: "start" });
    assert.equal(asked.length, 2);
  });
});

describe("what an MCP server gives", () => {
  it("images, links, structured content and resources reach the model", async () => {
    const { start } = hostOf();
    await using host = await start();
    const calls = ["all/get-tiny-image", "all/get-resource-links", "all/listResources"];
    const [image, links, resources] = await outputsOf(host, { all: everything }, calls);
    assert.match(JSON.stringify(image), /"type":"image","uri":"data:image\/png;base64,/);
    assert.match(String(links), /\[Resource /);
    assert.match(String(resources), /:\/\//);
  });

  it("files of a folder, by the protocol's own server for them", async () => {
    using scratch = new Scratch();
    writeFileSync(join(scratch.path, "a.txt"), "hello");
    const { start } = hostOf();
    await using host = await start();
    const input = { path: join(scratch.path, "a.txt") };
    const [text] = await outputsOf(host, { files: filesystem(scratch.path) }, ["files/read_text_file"], input);
    assert.match(String(text), /hello/);
  });

  it("a question to the user, whose answer goes back to the server", async () => {
    const asked: unknown[] = [];
    const { start } = hostOf({
      onElicit: ({ server, question }) => {
        asked.push(server, question.mode);
        return { action: "decline" };
      },
    });
    await using host = await start();
    const [output] = await outputsOf(host, { all: everything }, ["all/trigger-elicitation-request"]);
    assert.deepEqual(asked, ["all", "form"]);
    assert.match(String(output), /declined/i);
  });
});
