import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import {
  TeamInspect,
  TeamInterrupt,
  TeamList,
  TeamOpen,
  TeamRun,
  ToolsRegister,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal, SERVER } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

describe('the process and its transport (PROTOCOL.md, "Process and transport")', () => {
  for (const transport of ["stdio", "node-ipc"] as const) {
    it(`answers initialize over ${transport} with the version of the protocol, and ends on exit`, async () => {
      await using host = new HostClient({ transport });
      const result = await host.initialize();
      assert.partialDeepStrictEqual(result, { capabilities: { experimental: { gavel: { protocolVersion: 1 } } } });
      await host.connection.sendNotification("initialized", {});
      assert.deepEqual(await host.send(TeamList, {}), { teams: [] });
      assert.equal(await host.shutdown(), 0);
    });
  }

  it("ends when its parent closes stdin", async () => {
    await using host = await HostClient.start();
    const gone = once(host.process, "exit");
    host.process.stdin?.end();
    await gone;
  });

  it("ends when the client that it was started for is gone, also with its stdin open", async (t) => {
    const parent = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
    t.after(() => parent.kill("SIGKILL"));
    await using host = new HostClient();
    await host.connection.sendRequest("initialize", { processId: parent.pid, rootUri: null, capabilities: {} });
    const gone = once(host.process, "exit");
    parent.kill("SIGKILL");
    await gone;
  });

  it("ends without a word when no one reads its stdout any more, also while it waits for an answer of the client", async () => {
    const asked = Promise.withResolvers<void>();
    const report = 'process.stdout.on("close", () => console.error("the client has gone"))';
    await using host = await HostClient.start({
      stderr: "pipe",
      preload: `data:text/javascript,${encodeURIComponent(report)}`,
      onToolCall: () => {
        asked.resolve();
        return new Promise(() => {});
      },
    });
    const { stdout, stderr } = host.process;
    assert.ok(stdout !== null && stderr !== null);
    const said = text(stderr);
    await host.send(ToolsRegister, { tools: [{ name: "look", description: "", inputSchema: {}, readOnly: true }] });
    const lines = { ann: [{ calls: [{ tool: "look" }] }] };
    const definition = roundRobin({
      names: ["ann"],
      model: { provider: "practice", pace: 0, lines },
      participants: { tools: ["look"] },
    });
    await host.send(TeamOpen, { teamId: "t", definition });
    host.send(TeamRun, { teamId: "t", task: "go" }).catch(() => {});
    await asked.promise;
    stdout.destroy();
    // Its answer cannot be written.
    host.send(TeamList, {}).catch(() => {});
    assert.equal(await said, "the client has gone\n");
  });

  it("writes nothing but the protocol to stdout, and every byte of it", async () => {
    await using host = await HostClient.start();
    const errors: unknown[] = [];
    host.connection.onError((error) => errors.push(error));
    await host.send(TeamOpen, { definition: roundRobin({ maxTurns: 1 }), teamId: "t" });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.deepEqual(errors, []);
  });

  it("skips a message that is not JSON", async () => {
    await using host = await HostClient.start();
    host.process.stdin?.write("Content-Length: 5\r\n\r\n{oops");
    assert.deepEqual(await host.send(TeamList, {}), { teams: [] });
  });

  it("refuses a request before initialize", async () => {
    await using host = new HostClient();
    assert.equal((await refusal(host.sendRaw("team/list", {}))).code, -32002);
  });

  it("refuses options that do not fit, and names them", async () => {
    await using host = new HostClient();
    const params = { processId: null, rootUri: null, capabilities: {}, initializationOptions: { storagePath: 7 } };
    const { code, data } = await refusal(host.connection.sendRequest("initialize", params));
    assert.equal(code, -32602);
    assert.deepEqual(data.problems, [
      { path: "initializationOptions.storagePath", message: "should be text, but is 7" },
    ]);
  });

  it("answers an unknown method with MethodNotFound", async () => {
    await using host = await HostClient.start();
    assert.equal((await refusal(host.sendRaw("team/dance", {}))).code, -32601);
  });

  it("runs from its bundle alone", async (t) => {
    using scratch = new Scratch();
    const alone = join(scratch.path, "server.js");
    copyFileSync(join(import.meta.dirname, "../../dist/server.js"), alone);
    // The file is a module; elsewhere than beside our package.json its name has to say so.
    const asModule = join(scratch.path, "server.mjs");
    copyFileSync(alone, asModule);
    const child = spawn(process.execPath, [asModule, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
    t.after(() => child.kill("SIGKILL"));
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { processId: null, rootUri: null, capabilities: {} },
    });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    const [answer] = await once(child.stdout, "data");
    assert.match(String(answer), /^Content-Length: /);
    child.stdin.end();
    await once(child, "exit");
  });
});

describe("the OPENAI_API_KEY of the environment", () => {
  it("is no longer in the environment when the host has answered initialize", async (t) => {
    const report = `process.on("exit", () => console.error("OPENAI_API_KEY" in process.env ? "still there" : "gone"))`;
    const child = spawn(
      process.execPath,
      ["--import", `data:text/javascript,${encodeURIComponent(report)}`, SERVER, "--stdio"],
      { stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, OPENAI_API_KEY: "sk-of-the-environment" } },
    );
    t.after(() => child.kill("SIGKILL"));
    const said = text(child.stderr);
    const params = { processId: null, rootUri: null, capabilities: {} };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    await once(child.stdout, "data");
    child.stdin.end();
    assert.equal((await said).trim(), "gone");
  });
});

describe('errors (PROTOCOL.md, "Errors")', () => {
  it("InvalidParams names every problem at once, each with its path", async () => {
    await using host = await HostClient.start();
    const { code, data } = await refusal(host.sendRaw("team/events", { after: -1, limit: "all", afterr: 2 }));
    assert.equal(code, -32602);
    assert.equal(data.code, "InvalidParams");
    assert.deepEqual(data.problems, [
      { path: "teamId", message: "is missing; it should be text" },
      { path: "after", message: "should be at least 0" },
      { path: "limit", message: 'should be a number, but is the text "all"' },
      { path: "afterr", message: 'unknown key "afterr"; did you mean "after"?' },
    ]);
  });

  it("InvalidParams also for params that are left out or are a list", async () => {
    await using host = await HostClient.start();
    assert.equal((await refusal(host.connection.sendRequest("team/run"))).code, -32602);
    assert.equal((await refusal(host.sendRaw("team/run", ["a", "b"]))).code, -32602);
    assert.deepEqual(await host.connection.sendRequest("team/list"), { teams: [] });
  });

  it("UnknownTeam for every request that names one", async () => {
    await using host = await HostClient.start();
    const requests: readonly (readonly [string, object])[] = [
      ["team/open", {}],
      ["team/run", {}],
      ["team/interrupt", {}],
      ["team/sendUserMessage", { to: "ann", messages: "hi" }],
      ["team/resolveTools", { deny: [{ ref: "x" }] }],
      ["team/inspect", {}],
      ["team/events", {}],
      ["team/saveState", {}],
      ["team/loadState", { state: {} }],
      ["team/reset", {}],
      ["team/delete", {}],
      ["team/stop", {}],
    ];
    for (const [method, params] of requests) {
      const { code, data, message } = await refusal(host.sendRaw(method, { teamId: "unknown", ...params }));
      assert.deepEqual([method, code, data.code], [method, -32001, "UnknownTeam"]);
      assert.match(message, /unknown/);
    }
  });

  it("UnknownParticipant lists who there is, and the thread is unchanged", async () => {
    await using host = await HostClient.start();
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin() });
    const { code, data } = await refusal(
      host.sendRaw("team/sendUserMessage", { teamId: "t", to: "eve", messages: "hi" }),
    );
    assert.equal(code, -32002);
    assert.deepEqual(data.known, ["ann", "bob"]);
    assert.equal((await host.send(TeamInspect, { teamId: "t" })).threadLength, 0);
  });

  it("InvalidDefinition names all problems of shape and of references together", async () => {
    await using host = await HostClient.start();
    const definition = {
      kind: "roundrobin",
      participants: [
        { name: "ann", model: "fst", instruction: "Speak." },
        { name: "ann", tools: ["readFiles"] },
      ],
      models: { fast: { provider: "practice" }, slow: { provider: "practice" } },
    };
    const { code, data } = await refusal(host.sendRaw("team/open", { definition }));
    assert.equal(code, -32004);
    assert.equal(data.code, "InvalidDefinition");
    const problems = new Map(data.problems?.map(({ path, message }) => [path, message]));
    assert.match(problems.get("name") ?? "", /is missing/);
    assert.match(problems.get("kind") ?? "", /did you mean "roundRobin"/);
    assert.match(problems.get("participants[0].instruction") ?? "", /did you mean "instructions"/);
    assert.match(problems.get("participants[0].model") ?? "", /unknown model "fst".*did you mean "fast"/);
    assert.match(problems.get("participants[1].name") ?? "", /"ann" is already the name of participants\[0\]/);
    assert.match(problems.get("participants[1].tools[0]") ?? "", /did you mean "readFile"/);
    assert.match(problems.get("participants[1]") ?? "", /has no model; name one of fast, slow/);
  });

  it("InvalidDefinition also for a definition that is not a map", async () => {
    await using host = await HostClient.start();
    for (const definition of [null, "team.yaml", [1], 7]) {
      assert.equal((await refusal(host.sendRaw("team/open", { definition }))).code, -32004);
    }
  });

  it("StorageError names the folder that cannot be created", async () => {
    using scratch = new Scratch();
    writeFileSync(join(scratch.path, "file"), "");
    await using host = await HostClient.start({ storagePath: join(scratch.path, "file", "store") });
    const { code, message } = await refusal(host.send(TeamList, {}));
    assert.equal(code, -32008);
    assert.match(message, /a file has the same name/);
  });

  it("StorageError also for a folder in a file system that lets no one create folders", {
    skip: process.platform !== "linux" && "needs /proc",
  }, async (t) => {
    for (const storagePath of ["/proc/gavel", "/proc/gavel/store"]) {
      await using host = await HostClient.start({ storagePath });
      // A host that hangs would outlive this test.
      t.after(() => host[Symbol.asyncDispose]());
      const { code, message } = await refusal(host.send(TeamList, {}));
      assert.equal(code, -32008);
      assert.match(message, /^The storage folder \/proc\/gavel.* cannot be created: no folder can be made there; /);
    }
  });

  it("RequestCancelled for a cancelled request other than a run", async () => {
    await using host = await HostClient.start();
    const model = { provider: "practice" as const, pace: 1, lines: { ann: ["word ".repeat(1000)] } };
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ names: ["ann"], model }) });
    const running = host.send(TeamRun, { teamId: "t", task: "t" });
    await host.event("t", ({ type }) => type === "message/chunk");
    // It is answered at the end of a turn that does not end.
    const controller = new AbortController();
    const answer = host.sendRaw(TeamInterrupt.method, { teamId: "t", grace: "turn" }, controller.signal);
    await host.event("t", ({ type }) => type === "interrupt/requested");
    controller.abort();
    const { code, data } = await refusal(answer);
    assert.deepEqual([code, data.code], [-32800, "RequestCancelled"]);
    await host.send(TeamInterrupt, { teamId: "t" });
    assert.equal((await running).stopReason, "USER_INTERRUPT");
  });
});
