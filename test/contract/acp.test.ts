import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { root } from "../../scripts/root.ts";
import { delta, finished, rawEndpoint, sendStream, startStream } from "../../server/models/testing/raw-endpoint.ts";
import { AcpClient } from "./harness/acp-client.ts";
import { CLI, CommandLine } from "./harness/command-line.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";

const team = (lines: Readonly<Record<string, readonly unknown[]>>, pace = 0) => ({
  name: "Two",
  kind: "roundRobin",
  participants: [{ name: "ann", tools: ["writeFile", "runCommand"] }, { name: "bob" }],
  models: { default: { provider: "practice", pace, lines, asked: { bob: ["I am bob."] } } },
  maxTurns: 2,
});

const write = (content: string): object => ({
  say: "I write it.",
  calls: [{ tool: "writeFile", input: { path: "note.txt", content } }],
});

const words = Array.from({ length: 2000 }, (_, at) => `word${at}`).join(" ");

describe("gavel acp", () => {
  it("tells a client what is said with the speaker's name, and asks it about a call with the change and our options", async () => {
    using gavel = new CommandLine({ "t.team.json": team({ ann: [write("new\n"), "It is there."], bob: ["Good."] }) });
    await using client = await AcpClient.start(gavel, ["t.team.json"]);
    assert.equal(client.capabilities?.loadSession, true);
    assert.equal(client.capabilities?.promptCapabilities?.image, true);
    const { sessionId } = await client.open();
    assert.deepEqual(await client.prompt(sessionId, "Go."), { stopReason: "end_turn" });
    assert.equal(client.text(), "**ann:** I write it.\n\nIt is there.\n\n**bob:** Good.");
    assert.equal(readFileSync(join(gavel.folder, "note.txt"), "utf8"), "new\n");

    const [question, ...others] = client.questions;
    assert.deepEqual(others, []);
    const path = join(gavel.folder, "note.txt");
    assert.deepEqual(question?.toolCall.content, [{ type: "diff", path, oldText: null, newText: "new\n" }]);
    assert.deepEqual(question?.toolCall.locations, [{ path }]);
    assert.deepEqual(
      question?.options.map(({ optionId, kind }) => `${optionId} ${kind}`),
      ["allow allow_once", "run allow_always", "workspace allow_always", "reject reject_once"],
    );
    const statuses = client.updates.flatMap((update) =>
      update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update" ? [update.status] : [],
    );
    assert.deepEqual(statuses, ["pending", "in_progress", "completed"]);
    assert.equal(await client.end(), 0);
  });

  it("does nothing on a rejected call, or on an answer that is none of its options, and asks no more after a rule", async () => {
    const lines = { ann: [write("a"), write("b"), write("c"), write("c"), "Ready."], bob: ["Good."] };
    using gavel = new CommandLine({ "t.team.json": team(lines) });
    await using client = await AcpClient.start(gavel, ["t.team.json"]);
    const { sessionId } = await client.open();
    const answers = ["reject", "bogus", "run"];
    client.answer = () => answers.shift();
    assert.deepEqual(await client.prompt(sessionId, "Go."), { stopReason: "end_turn" });
    assert.equal(client.questions.length, 3);
    assert.equal(readFileSync(join(gavel.folder, "note.txt"), "utf8"), "c");
  });

  it("keeps what was said when it is cancelled, continues it, and loads the session in another process", async () => {
    using gavel = new CommandLine({ "t.team.json": team({ ann: [words] }, 50) });
    let sessionId = "";
    {
      await using client = await AcpClient.start(gavel, ["t.team.json"]);
      ({ sessionId } = await client.open());
      const prompted = client.prompt(sessionId, "Go.");
      await client.said("word5 ");
      await client.cancel(sessionId);
      assert.deepEqual(await prompted, { stopReason: "cancelled" });
      const before = client.text().length;
      const continued = client.prompt(sessionId, "/continue");
      await client.said("word9 ");
      await client.cancel(sessionId);
      await continued;
      assert.doesNotMatch(client.text().slice(before), /word5 /);
    }
    await using client = await AcpClient.start(gavel, ["t.team.json"]);
    assert.deepEqual(
      (await client.list()).sessions.map((session) => session.sessionId),
      [sessionId],
    );
    await client.load(sessionId);
    assert.equal(client.text("user_message_chunk"), "Go.");
    assert.match(client.text(), /^\*\*ann:\*\* word0 [\s\S]*word9/);
    await assert.rejects(client.load("nothing"), /Team "nothing" does not exist/);
  });

  it("is interrupted and stored when its client closes the connection", async () => {
    using gavel = new CommandLine({ "t.team.json": team({ ann: [words] }, 50) });
    await using client = await AcpClient.start(gavel, ["t.team.json"]);
    const { sessionId } = await client.open();
    client.prompt(sessionId, "Go.").catch(() => undefined);
    await client.said("word5 ");
    assert.equal(await client.end(), 0);
    const [thread] = JSON.parse((await gavel.run(["list", "--json"])).stdout);
    assert.equal(thread.status, "paused");
    assert.match(thread.lastLine, /^word0 word1 /);
  });

  it("has one participant answer /ask, and says what is wrong with another", async () => {
    using gavel = new CommandLine({ "t.team.json": team({ ann: ["One."], bob: ["Two."] }) });
    await using client = await AcpClient.start(gavel, ["t.team.json"]);
    const { sessionId } = await client.open();
    await client.prompt(sessionId, "/ask bob who are you?");
    assert.equal(client.text(), "**bob:** I am bob.");
    await client.prompt(sessionId, "/ask");
    assert.match(client.text(), /Write \/ask NAME and the question\.$/);
    await assert.rejects(client.prompt(sessionId, "/ask eve hello"), /The team has no participant "eve"/);
    const [commands] = client.updates.filter((update) => update.sessionUpdate === "available_commands_update");
    assert.deepEqual(
      commands?.availableCommands.map(({ name }) => name),
      ["ask", "continue"],
    );
  });

  it("asks as its mode says: edits without asking, or no edits at all", async () => {
    const lines = { ann: [write("a"), "Ready."], bob: ["Good."] };
    using gavel = new CommandLine({ "t.team.json": team(lines) });
    await using client = await AcpClient.start(gavel, ["t.team.json"]);
    const first = await client.open();
    assert.equal(first.modes?.currentModeId, "ask");
    await client.setMode(first.sessionId, "readOnly");
    await client.prompt(first.sessionId, "Go.");
    assert.throws(() => readFileSync(join(gavel.folder, "note.txt")), /ENOENT/);
    const second = await client.open();
    await client.setMode(second.sessionId, "acceptEdits");
    await client.prompt(second.sessionId, "Go.");
    assert.equal(readFileSync(join(gavel.folder, "note.txt"), "utf8"), "a");
    assert.deepEqual(client.questions, []);
    await assert.rejects(client.setMode(second.sessionId, "bogus"), /there is no mode bogus/);
  });

  it("follows a mode that is set while the team runs, and does not load a session that answers a prompt", async () => {
    let arrived = Promise.withResolvers<ServerResponse>();
    await using endpoint = await rawEndpoint((response) => arrived.resolve(response));
    const next = async () => {
      const response = await arrived.promise;
      arrived = Promise.withResolvers();
      return response;
    };
    const models = { default: { provider: "openai", model: "m", baseUrl: endpoint.url, maxRetries: 0 } };
    using gavel = new CommandLine({ "t.team.json": { ...team({}), models, maxTurns: 1 } });
    await using client = await AcpClient.start(gavel, ["t.team.json"]);
    const { sessionId } = await client.open();
    await client.setMode(sessionId, "acceptEdits");
    const prompt = client.prompt(sessionId, "Go.");
    const first = await next();
    await client.setMode(sessionId, "readOnly");
    const call = { name: "writeFile", arguments: '{"path":"note.txt","content":"a"}' };
    sendStream(first, delta({ tool_calls: [{ index: 0, id: "c1", type: "function", function: call }] }), finished);
    startStream(await next(), delta({ content: "It may not be written." }));
    await client.said("not be written");
    await assert.rejects(client.load(sessionId), /answers a prompt/);
    await client.cancel(sessionId);
    assert.deepEqual(await prompt, { stopReason: "cancelled" });
    assert.throws(() => readFileSync(join(gavel.folder, "note.txt")), /ENOENT/);
    assert.deepEqual(client.questions, []);
    await client.load(sessionId);
  });

  it("asks before messages go to an endpoint, sends images, and shows the plan of Magentic", async () => {
    await using endpoint = await FakeEndpoint.start();
    endpoint.says("ann", "I see it.");
    // An address of this machine that is asked about, as others are: a key would go there.
    const model = { provider: "openai", model: "gpt-5", baseUrl: endpoint.baseUrl, apiKey: { secret: "k" } };
    const participants = [{ name: "ann", instructions: "I am ann." }];
    const definition = { name: "One", kind: "roundRobin", participants, models: { default: model }, maxTurns: 1 };
    using gavel = new CommandLine({
      "t.team.json": definition,
      "plan.team.yaml": readFileSync(join(root, "media/samples/workspace/plan.team.yaml"), "utf8").replace(
        "provider: practice",
        "provider: practice\n    pace: 0",
      ),
    });
    {
      await using client = await AcpClient.start(gavel, ["t.team.json"], { GAVEL_KEY_K: "sk-secret" });
      const { sessionId } = await client.open();
      client.answer = () => "reject";
      await assert.rejects(client.prompt(sessionId, "What is it?"));
      assert.equal(endpoint.mock.getRequests().length, 0);
      client.answer = () => "allow";
      await client.prompt(sessionId, "What is it?", { data: "aGVsbG8=" });
      assert.equal(client.text(), "I see it.");
      assert.match(client.questions.at(-1)?.toolCall.title ?? "", /^Send messages and the key "k" to http:/);
      assert.doesNotMatch(JSON.stringify(client.updates), /sk-secret/);
      assert.match(JSON.stringify(endpoint.mock.getRequests().at(-1)?.body), /data:image\/png;base64,aGVsbG8=/);
    }
    await using client = await AcpClient.start(gavel, ["plan.team.yaml"]);
    const { sessionId } = await client.open();
    await client.prompt(sessionId, "Plan it.");
    const plans = client.updates.filter((update) => update.sessionUpdate === "plan");
    assert.ok(plans.length > 0);
    assert.ok(plans.every(({ entries }) => entries.length > 0));
  });

  it("runs for acpx", async () => {
    using gavel = new CommandLine({ "t.team.json": team({ ann: [write("a"), "Ready."], bob: ["Good."] }) });
    const agent = `${process.execPath} ${CLI} acp t.team.json`;
    const acpx = spawn(
      process.execPath,
      [join(root, "node_modules/acpx/dist/cli.js"), "--approve-all", "--agent", agent, "exec", "Go."],
      { cwd: gavel.folder, env: gavel.environment, stdio: ["ignore", "pipe", "inherit"], timeout: 200_000 },
    );
    const ended = new Promise<number | null>((resolve) => acpx.on("close", resolve));
    const output = await text(acpx.stdout);
    assert.equal(await ended, 0, output);
    assert.match(
      output,
      /\*\*ann:\*\* I write it\.[\s\S]*writeFile note\.txt \(completed\)[\s\S]*\*\*bob:\*\* Good\.[\s\S]*end_turn/,
    );
    assert.equal(readFileSync(join(gavel.folder, "note.txt"), "utf8"), "a");
  });
});
