import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { CancellationTokenSource } from "vscode-jsonrpc/node";
import { Sandbox } from "../../server/tools/index.ts";
import type { ParticipantDefinition, TeamDefinition } from "../../shared/contract/definition.ts";
import { TeamOpen } from "../../shared/contract/requests.ts";
import { AgentsCheck, DraftPart, ModelsCheck, SandboxCheck, TeamDraft } from "../../shared/contract/setup.ts";
import { RemoteAgentServer } from "../fixtures/a2a-agent/agent-server.ts";
import { HostClient, type HostOptions, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { openai, practice, roundRobin } from "./harness/teams.ts";

const GOOD = `name: Pair
kind: roundRobin
participants:
  - { name: ann, instructions: Write., tools: [readFile] }
  - { name: bob, instructions: Review. }
termination: { maxMessages: 6 }`;
const BAD = GOOD.replace("roundRobin", "roundrobin").replace("readFile", "readfile");

/** An endpoint that gives these answers in order, and keeps what it was sent. */
async function endpoint(answers: readonly (string | number)[]) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (bytes) => {
      body += bytes;
    });
    request.on("end", () => {
      const answer = answers[bodies.push(body) - 1] ?? answers.at(-1);
      if (typeof answer === "number") {
        response.writeHead(answer, { "content-type": "application/json" });
        response.end('{"error":{"message":"no"}}');
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      const chunk = { id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content: answer } }] };
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  return { url: `http://127.0.0.1:${port}/v1`, bodies, [Symbol.asyncDispose]: close };
}

describe('a drafted team (PROTOCOL.md, "team/draft")', () => {
  it("is what the default model writes, without its code fence", async () => {
    await using model = await endpoint([`Here it is:\n\`\`\`yaml\n${GOOD}\n\`\`\`\nEnjoy!`]);
    await using host = await HostClient.start({ model: { ...openai(model.url), maxRetries: 0 } });
    const draft = await host.send(TeamDraft, { task: "Write and review release notes." });
    assert.deepEqual(draft, { text: `${GOOD}\n`, problems: [] });
    assert.match(model.bodies[0] ?? "", /Write and review release notes/);
  });

  it("goes back to the model once with its problems, and what is left of them is told", async () => {
    await using model = await endpoint([BAD, GOOD, BAD, BAD]);
    await using host = await HostClient.start({ model: { ...openai(model.url), maxRetries: 0 } });
    const corrected = await host.send(TeamDraft, { task: "Release notes." });
    assert.deepEqual(corrected, { text: `${GOOD}\n`, problems: [] });
    assert.match(model.bodies[1] ?? "", /did you mean \\"roundRobin\\"/);
    const wrong = await host.send(TeamDraft, { task: "Release notes." });
    assert.equal(wrong.text, `${BAD}\n`);
    assert.deepEqual(
      wrong.problems.map(({ line, path }) => [line, path]),
      [
        [2, "kind"],
        [4, "participants[0].tools[0]"],
      ],
    );
    assert.equal(model.bodies.length, 4);
  });

  it("is sent while it is written, each attempt from its start, and may be written by a given model", async () => {
    await using model = await endpoint([BAD, GOOD]);
    await using host = await HostClient.start();
    const written: string[] = ["", ""];
    host.connection.onNotification(DraftPart.method, (params: unknown) => {
      const { draftId, attempt, delta } = DraftPart.params.parse(params);
      assert.equal(draftId, "d");
      written[attempt - 1] += delta;
    });
    const given = { ...openai(model.url), maxRetries: 0 };
    const draft = await host.send(TeamDraft, { task: "Release notes.", model: given, draftId: "d" });
    assert.deepEqual(draft, { text: `${GOOD}\n`, problems: [] });
    assert.deepEqual(written, [BAD, GOOD]);
  });

  it("ends when it is cancelled, and sends no more of it", async () => {
    const asked = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const server = createServer((request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const chunk = { id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content: "name: " } }] };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      request.on("close", closed.resolve);
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    await using host = await HostClient.start();
    const parts: unknown[] = [];
    host.connection.onNotification(DraftPart.method, (params: unknown) => {
      parts.push(params);
      asked.resolve();
    });
    const stop = new CancellationTokenSource();
    const model = { ...openai(`http://127.0.0.1:${port}/v1`), maxRetries: 0 };
    const drafting = host.connection.sendRequest(
      TeamDraft.method,
      { task: "Release notes.", model, draftId: "d" },
      stop.token,
    );
    await asked.promise;
    stop.cancel();
    await Promise.all([drafting, closed.promise]);
    assert.deepEqual(parts, [{ draftId: "d", attempt: 1, delta: "name: " }]);
    server.close();
  });

  it("fails plainly without a default model, and where the model fails", async () => {
    await using none = await HostClient.start();
    const missing = await refusal(none.send(TeamDraft, { task: "Release notes." }));
    assert.equal(missing.data.code, "ModelError");
    await using model = await endpoint([401]);
    await using host = await HostClient.start({ model: { ...openai(model.url), maxRetries: 0 } });
    const refused = await refusal(host.send(TeamDraft, { task: "Release notes." }));
    assert.partialDeepStrictEqual(refused.data, { code: "ModelError", status: 401 });
  });
});

describe('a check of models (PROTOCOL.md, "models/check")', () => {
  it("tells which models answer, and why the others do not", async () => {
    await using good = await endpoint(["OK"]);
    await using refused = await endpoint([401]);
    await using unknown = await endpoint([404]);
    await using host = await HostClient.start();
    const models = {
      good: openai(good.url),
      refused: openai(refused.url),
      unknown: openai(unknown.url),
      down: openai("http://127.0.0.1:9/v1"),
      practice: practice(["ann"]),
    };
    const definition = { ...roundRobin({ names: ["ann"], participants: { model: "good" } }), models };
    await host.send(TeamOpen, { teamId: "t", definition });
    const { models: checked } = await host.send(ModelsCheck, { teamId: "t" });
    const found = checked.map(({ key, failure }) => [
      key,
      failure?.data["status"] ?? failure?.data["fix"] ?? "answers",
    ]);
    assert.deepEqual(found, [
      ["good", "answers"],
      ["refused", 401],
      ["unknown", 404],
      ["down", "endpoint"],
      ["practice", "answers"],
    ]);
  });

  it("is of the default model without a team, and for a team without models", async () => {
    await using good = await endpoint(["OK"]);
    await using host = await HostClient.start({ model: openai(good.url) });
    const { models: _, ...plain } = roundRobin({ names: ["ann"] });
    await host.send(TeamOpen, { teamId: "t", definition: plain });
    for (const params of [{}, { teamId: "t" }]) {
      const { models } = await host.send(ModelsCheck, params);
      assert.deepEqual(
        models.map(({ key, failure }) => [key, failure]),
        [[undefined, undefined]],
      );
    }
  });
});

describe('a check of the models of a team without any (PROTOCOL.md, "models/check")', () => {
  const ann: ParticipantDefinition = { name: "ann", kind: "acp", command: "agent" };
  const of = (kind: TeamDefinition["kind"], ...participants: readonly ParticipantDefinition[]): TeamDefinition => ({
    name: "T",
    kind,
    participants: [...participants],
    maxTurns: 1,
  });
  const nested = (team: TeamDefinition): ParticipantDefinition => ({ name: "inner", kind: "team", team });
  const teams: readonly (readonly [what: string, team: TeamDefinition, asks: number])[] = [
    ["agents alone", of("roundRobin", ann, nested(of("roundRobin", ann))), 0],
    ["an assistant in a nested team", of("roundRobin", ann, nested(of("roundRobin", { name: "bob" }))), 1],
    ["agents that a model selects", of("selector", ann, { ...ann, name: "bob" }), 1],
  ];
  for (const [what, definition, asks] of teams) {
    it(`asks the default model ${asks === 0 ? "not at all" : "once"} for ${what}`, async () => {
      await using good = await endpoint(["OK"]);
      await using host = await HostClient.start({ model: openai(good.url) });
      await host.send(TeamOpen, { teamId: "t", definition });
      assert.equal((await host.send(ModelsCheck, { teamId: "t" })).models.length, asks);
      assert.equal(good.bodies.length, asks);
    });
  }
});

describe('a check of agents (PROTOCOL.md, "agents/check")', () => {
  /** What is found of a team with these participants, the first of them nested. A file that one has written fails. */
  async function checked(agents: readonly ParticipantDefinition[], options: HostOptions = {}) {
    using scratch = new Scratch();
    writeFileSync(join(scratch.path, "note.txt"), "");
    await using host = await HostClient.start({ folders: [pathToFileURL(scratch.path).href], ...options });
    const [first = { name: "none" }, ...more] = agents;
    const inner: TeamDefinition = { name: "Inner", kind: "roundRobin", participants: [first], maxTurns: 1 };
    const participants = [...more, { name: "inner", kind: "team", team: inner } as const];
    const definition: TeamDefinition = { name: "T", kind: "roundRobin", participants, maxTurns: 1 };
    await host.send(TeamOpen, { teamId: "t", definition });
    const { agents: found } = await host.send(AgentsCheck, { teamId: "t" });
    assert.deepEqual(readdirSync(scratch.path), ["note.txt"]);
    return found.map(({ name, state, text }) => [name, state, text.replaceAll(scratch.path, "FOLDER")]);
  }

  it("finds programs and their folders, also of nested teams, and starts none", async () => {
    const started: unknown[] = [];
    const onProgram = (question: unknown): boolean => started.push(question) > 0;
    const args = ["-e", "require('fs').writeFileSync('marker', '')"];
    const acp = { kind: "acp", command: process.execPath, args } as const;
    const found = await checked(
      [
        { name: "path", ...acp },
        { name: "name", ...acp, command: basename(process.execPath), env: { PATH: dirname(process.execPath) } },
        { name: "missing", ...acp, command: "no-such-program-of-gavel" },
        { name: "file", ...acp, command: "./tool" },
        { name: "nowhere", ...acp, cwd: "gone" },
        { name: "note", ...acp, cwd: "note.txt" },
      ],
      { onProgram },
    );
    assert.deepEqual(started, []);
    const fix = "install it, or correct `command` in the team file.";
    assert.deepEqual(found, [
      ["name", "works", `Its program is ${process.execPath}.`],
      ["missing", "wrong", `missing cannot start: there is no program "no-such-program-of-gavel"; ${fix}`],
      ["file", "wrong", `file cannot start: there is no program "./tool"; ${fix}`],
      [
        "nowhere",
        "wrong",
        'nowhere cannot start: there is no "gone" in the workspace; correct `cwd` in the team file.',
      ],
      ["note", "wrong", "note cannot start: FOLDER/note.txt is not a folder; correct `cwd` in the team file."],
      ["inner/path", "works", `Its program is ${process.execPath}.`],
    ]);
  });

  it("reads the cards of remote agents, with their headers, and sends no message and no key", async () => {
    await using good = await RemoteAgentServer.start();
    await using broken = await RemoteAgentServer.start({ card: () => "<html>" });
    const keys = { k: "s3cret" };
    const a2a = { kind: "a2a", apiKey: { secret: "k" } } as const;
    const found = await checked(
      [
        { name: "inside", ...a2a, url: good.url },
        { name: "good", ...a2a, url: good.url, headers: { "X-Team": "blue" } },
        { name: "broken", ...a2a, url: broken.url },
        { name: "down", ...a2a, url: "http://127.0.0.1:9" },
      ],
      { keys, onProgram: () => true },
    );
    const works = "Its card can be read.";
    const { host } = new URL(broken.url);
    assert.deepEqual(found, [
      ["good", "works", works],
      ["broken", "wrong", `broken has no agent card at ${host}: what is there is not JSON; correct \`url\`.`],
      [
        "down",
        "wrong",
        "down cannot be reached at 127.0.0.1:9 (ECONNREFUSED); check that it runs and that `url` is right, and check again.",
      ],
      ["inner/inside", "works", works],
    ]);
    assert.deepEqual([good.methods, good.headers.length], [[], 2]);
    assert.deepEqual(good.headers.map((sent) => sent["x-team"]).sort(), ["blue", undefined]);
    assert.doesNotMatch(JSON.stringify(good.headers), /s3cret/);
  });

  it("asks what a run asks, and sends nothing after a refusal", async () => {
    await using agent = await RemoteAgentServer.start();
    const asked: unknown[] = [];
    const refuse = (question: unknown): boolean => asked.push(question) < 0;
    const { port } = new URL(agent.url);
    // Leads to this machine, but is not an address of it alone.
    const away = `http://0.0.0.0:${port}`;
    const found = await checked(
      [
        { name: "plain", kind: "a2a", url: away },
        { name: "headed", kind: "a2a", url: agent.url, headers: { "X-Team": "blue" } },
      ],
      { onEndpoint: refuse, onProgram: refuse },
    );
    assert.deepEqual(found, [
      [
        "headed",
        "refused",
        `Nothing was sent to headed, as you have not allowed ${agent.url}; check again to be asked.`,
      ],
      [
        "inner/plain",
        "refused",
        `Nothing was sent to plain, as you have not allowed ${away}; check again to be asked.`,
      ],
    ]);
    assert.equal(asked.length, 2);
    assert.deepEqual(agent.headers, []);
  });
});

describe('a check of the sandbox (PROTOCOL.md, "sandbox/check")', () => {
  it("says what protects commands, what is missing, and when a setting turns it off", async () => {
    await using host = await HostClient.start();
    const found = await host.send(SandboxCheck, {});
    const state = await new Sandbox().state();
    if (state.available) assert.deepEqual(found, { state: "on", mechanism: state.mechanism });
    else assert.partialDeepStrictEqual(found, { state: "unavailable", reason: state.reason });

    await using off = await HostClient.start({ settings: { "gavel.sandbox.enabled": false } });
    assert.deepEqual(await off.send(SandboxCheck, {}), { state: "off" });
  });
});
