import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { delta, rawEndpoint, startStream } from "../../server/models/testing/raw-endpoint.ts";
import type { ModelDefinition, TeamDefinition } from "../../shared/contract/definition.ts";
import { isDurable, type TeamEvent } from "../../shared/contract/event.ts";
import { textOf } from "../../shared/contract/message-text.ts";
import { TeamInspect, TeamInterrupt, TeamOpen, TeamResolveTools, TeamRun } from "../../shared/contract/requests.ts";
import { until } from "../editor/harness/until.ts";
import { HostClient } from "../host-client.ts";
import { startNats } from "../servers/nats.ts";
import { WorkerProcess } from "./worker-process.ts";

const WORDS = "word ".repeat(20_000);

const practice = (lines: Extract<ModelDefinition, { provider: "practice" }>["lines"], pace = 0): ModelDefinition => ({
  provider: "practice",
  pace,
  lines,
});

/** ann is on the worker, bob in the host. */
const team: TeamDefinition = {
  name: "Mixed",
  kind: "roundRobin",
  participants: [{ name: "ann", on: { worker: "gpu" } }, { name: "bob" }],
  models: { default: practice({ bob: ["I am bob."] }) },
  maxTurns: 2,
};

const annSays = (lines: Parameters<typeof practice>[0], pace = 0) => ({
  participants: [{ name: "ann", tools: ["todo", "writeFile", "runCommand"] }],
  models: { own: practice(lines, pace) },
  commands: { sandbox: false },
});

const saidBy = (events: readonly TeamEvent[]) =>
  events.flatMap((event) =>
    event.type === "message/added" && event.message.source !== "user"
      ? [[event.message.source, textOf(event.message)]]
      : [],
  );

it("a participant on a worker takes its turns there, streamed, and others take theirs in the host", async (context) => {
  const nats = await startNats(context);
  if (nats === undefined) return;
  await using worker = await WorkerProcess.start({
    link: nats.url(),
    file: annSays({ ann: ["I am ann, far away."] }, 50),
  });
  await using host = await HostClient.start({ link: nats.url() });
  await host.send(TeamOpen, { teamId: "t", definition: team });
  const { status } = await host.send(TeamRun, { teamId: "t", task: "Introduce yourselves." });
  assert.deepEqual(status, { code: "success" });
  const events = host.eventsOf("t");
  assert.deepEqual(saidBy(events), [
    ["ann", "I am ann, far away."],
    ["bob", "I am bob."],
  ]);
  const chunks = events.flatMap((event) =>
    event.type === "message/chunk" && event.source === "ann" ? [event.delta] : [],
  );
  assert.equal(chunks.join(""), "I am ann, far away.");
  const { participants } = await host.send(TeamInspect, { teamId: "t" });
  assert.deepEqual(
    participants.map(({ name, worker: on }) => [name, on]),
    [
      ["ann", "gpu"],
      ["bob", undefined],
    ],
  );
  assert.equal(worker.errors, "");
});

it("a participant on a worker keeps a plan, which its host has", async (context) => {
  const nats = await startNats(context);
  if (nats === undefined) return;
  const items = [{ text: "Write it", status: "inProgress" }];
  const lines = { ann: [{ calls: [{ tool: "todo", input: { items } }] }, "Planned."] };
  await using worker = await WorkerProcess.start({ link: nats.url(), file: annSays(lines) });
  await using host = await HostClient.start({ link: nats.url() });
  await host.send(TeamOpen, { teamId: "t", definition: { ...team, maxTurns: 1 } });
  await host.send(TeamRun, { teamId: "t", task: "Plan." });
  const { plans } = await host.send(TeamInspect, { teamId: "t" });
  assert.deepEqual(plans?.["ann"]?.items, items);
  assert.deepEqual(saidBy(host.eventsOf("t")), [["ann", "Planned."]]);
  assert.equal(worker.errors, "");
});

it("a tool of a worker waits for the user of the host, and then runs in the folder of the worker", async (context) => {
  const nats = await startNats(context);
  if (nats === undefined) return;
  const call = { tool: "gpu/writeFile", input: { path: "made.txt", content: "by ann" } };
  const lines = { ann: [{ calls: [call] }, "Done."] };
  await using worker = await WorkerProcess.start({ link: nats.url(), file: annSays(lines) });
  await using host = await HostClient.start({ link: nats.url() });
  await host.send(TeamOpen, { teamId: "t", definition: { ...team, maxTurns: 1 } });
  await host.send(TeamRun, { teamId: "t", task: "Make it." });
  const { pendingTools } = await host.send(TeamInspect, { teamId: "t" });
  const [pending] = pendingTools;
  assert.ok(pending !== undefined);
  assert.partialDeepStrictEqual(pending, { name: "gpu/writeFile", input: call.input, approval: true });
  const made = join(worker.folder, "made.txt");
  assert.ok(!existsSync(made));
  await host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: pending.ref }] });
  assert.equal(readFileSync(made, "utf8"), "by ann");
  assert.deepEqual(saidBy(host.eventsOf("t")), [["ann", "Done."]]);
});

it("an interrupt reaches a turn on a worker at once: acknowledged, with the text so far as a partial message", async (context) => {
  const nats = await startNats(context);
  if (nats === undefined) return;
  await using worker = await WorkerProcess.start({ link: nats.url(), file: annSays({ ann: [WORDS] }, 50) });
  await using host = await HostClient.start({ link: nats.url() });
  await host.send(TeamOpen, { teamId: "t", definition: team });
  const run = host.send(TeamRun, { teamId: "t", task: "Talk." });
  await host.streamed("t", 20);
  const receipt = await host.send(TeamInterrupt, { teamId: "t" });
  assert.partialDeepStrictEqual(receipt, { wasRunning: true, stopped: { participants: [{ participant: "ann" }] } });
  await run;
  const { thread } = await host.send(TeamInspect, { teamId: "t" });
  const partial = thread.at(-1);
  assert.equal(partial?.partial, true);
  assert.ok(textOf(partial).startsWith("word word word "));
  // The worker has stopped too: it ends at once, without waiting for a turn.
  assert.equal(await worker.kill("SIGTERM"), 0);
});

it("a worker that dies in a turn: the partial is kept, the user is told, and the team goes on", async (context) => {
  const nats = await startNats(context);
  if (nats === undefined) return;
  const link = nats.url({ silence: 2 });
  await using worker = await WorkerProcess.start({ link, file: annSays({ ann: [WORDS] }, 50) });
  await using host = await HostClient.start({ link });
  await host.send(TeamOpen, { teamId: "t", definition: team });
  const run = host.send(TeamRun, { teamId: "t", task: "Talk." });
  await host.streamed("t", 20);
  await worker.kill();
  const { status } = await run;
  assert.deepEqual(status, { code: "success" });
  const events = host.eventsOf("t").filter(isDurable);
  const [partial, bob] = saidBy(events);
  assert.equal(partial?.[0], "ann");
  assert.ok(partial[1]?.startsWith("word word word "));
  assert.deepEqual(bob, ["bob", "I am bob."]);
  const error = events.find((event) => event.type === "error");
  assert.match(
    error?.message ?? "",
    /^The worker gpu was lost in the turn of ann, as it does not answer; what ann had said is kept\.$/,
  );
});

it("a worker that dies while a tool runs there: the outcome is unknown, and nothing runs again by itself", async (context) => {
  const nats = await startNats(context);
  if (nats === undefined) return;
  const link = nats.url({ silence: 2 });
  const call = { tool: "gpu/runCommand", input: { command: "touch begun; sleep 1000" } };
  const file = annSays({ ann: [{ calls: [call] }, "Done."] });
  await using worker = await WorkerProcess.start({ link, file });
  await using host = await HostClient.start({ link });
  await host.send(TeamOpen, { teamId: "t", definition: team });
  await host.send(TeamRun, { teamId: "t", task: "Run it." });
  const [pending] = (await host.send(TeamInspect, { teamId: "t" })).pendingTools;
  const resolved = host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: pending?.ref ?? "" }] });
  await until("the tool runs", () => existsSync(join(worker.folder, "begun")) || undefined);
  await worker.kill();
  await resolved;
  const after = await host.send(TeamInspect, { teamId: "t" });
  assert.partialDeepStrictEqual(after, {
    status: "awaitingTools",
    pendingTools: [{ ref: pending?.ref, interrupt: { outcome: "unknown" } }],
  });
});

it("a participant of the host uses a model and tools of a worker", async (context) => {
  const nats = await startNats(context);
  if (nats === undefined) return;
  const lines = {
    bob: [
      // What the worker's own participant has is not for others.
      { calls: [{ tool: "gpu/runCommand", input: { command: "true" } }] },
      { calls: [{ tool: "gpu/readFile", input: { path: "facts.txt" } }] },
      "The fact is known.",
    ],
  };
  const own = [{ name: "ann", model: "own", tools: ["runCommand"] }];
  const file = {
    participants: own,
    models: { own: practice({}), large: practice(lines) },
    tools: ["readFile", "writeFile"],
    commands: { sandbox: false },
  };
  await using worker = await WorkerProcess.start({ link: nats.url(), file, files: { "facts.txt": "water is wet" } });
  await using host = await HostClient.start({ link: nats.url() });
  const definition: TeamDefinition = {
    name: "Here",
    kind: "roundRobin",
    participants: [{ name: "bob", tools: [{ name: "r*", on: { worker: "gpu" } }] }],
    models: { default: { provider: "worker", model: "large", on: { worker: "gpu" } } },
    maxTurns: 1,
  };
  await host.send(TeamOpen, { teamId: "t", definition });
  await host.send(TeamRun, { teamId: "t", task: "Look." });
  const [pending] = (await host.send(TeamInspect, { teamId: "t" })).pendingTools;
  assert.equal(pending?.name, "gpu/readFile");
  await host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: pending.ref }] });
  const outputs = host.eventsOf("t").flatMap((event) => (event.type === "tool/executed" ? [event.output] : []));
  assert.match(JSON.stringify(outputs[0]), /There is no tool/);
  assert.match(JSON.stringify(outputs[1]), /water is wet/);
  assert.deepEqual(saidBy(host.eventsOf("t")), [["bob", "The fact is known."]]);
  assert.match(worker.errors, /^bob of team t uses readFile\.\n$/);
});

it("a worker says what is wrong with its file, and that its commands would have no sandbox", async (context) => {
  const nats = await startNats(context);
  if (nats === undefined) return;
  const start = (file: Readonly<Record<string, unknown>>) => WorkerProcess.start({ link: nats.url(), file });
  await assert.rejects(
    start({}),
    /The file worker\.yaml is not valid: it offers nothing; add participants, models or tools\./,
  );
  await assert.rejects(start({ tools: ["deleteAll"] }), /a worker has no tool "deleteAll"; its tools are readFile, /);
  await assert.rejects(
    start({ participants: [{ name: "ann", handoffs: ["bob"] }] }),
    /participants\[0\]\.handoffs: is for team files; remove it here/,
  );
  await assert.rejects(start({ participants: [{ name: "ann" }] }), /participants\[0\]\.model: ann has no model/);
  if (process.platform !== "linux") return;
  const variables = { PATH: "/nowhere" };
  await using worker = await WorkerProcess.start({ link: nats.url(), file: { tools: ["runCommand"] }, variables });
  assert.match(worker.errors, /^Commands run without a sandbox here: .*\. Install one, or add "commands: /);
});

it("a link that is interrupted for a moment loses nothing of a turn", async (context) => {
  const nats = await startNats(context);
  if (nats === undefined) return;
  const text = Array.from({ length: 200 }, (_, n) => `w${n}`).join(" ");
  await using worker = await WorkerProcess.start({ link: nats.url(), file: annSays({ ann: [text] }, 50) });
  await using host = await HostClient.start({ link: nats.url() });
  await host.send(TeamOpen, { teamId: "t", definition: { ...team, maxTurns: 1 } });
  const run = host.send(TeamRun, { teamId: "t", task: "Count." });
  await host.streamed("t", 20);
  await nats.restart();
  await run;
  assert.deepEqual(saidBy(host.eventsOf("t")), [["ann", text]]);
  assert.match(worker.errors, /The link is interrupted\.\nThe link is there again\./);
});

it("without a worker, or without a link, the run ends with a sentence that says what to do", async (context) => {
  const nats = await startNats(context);
  if (nats === undefined) return;
  for (const [link, message] of [
    [
      nats.url(),
      /There is no worker "gpu" on the link 127.0.0.1:\d+ \(space "gavel"\); start it with "gavel worker --name gpu"\./,
    ],
    [
      undefined,
      /The worker "gpu" cannot be reached without a link; set gavel.link, or GAVEL_LINK for the command line\./,
    ],
    [
      nats.url().replace(/:[0-9a-f]+@/, ":wrong@"),
      /The link 127.0.0.1:\d+ \(space "gavel"\) cannot be used: .*[Aa]uthorization/,
    ],
    ["nats://127.0.0.1:1", /The link 127.0.0.1:1 \(space "gavel"\) cannot be used: /],
  ] as const) {
    await using host = await HostClient.start(link === undefined ? {} : { link });
    await host.send(TeamOpen, { teamId: "t", definition: team });
    const { status } = await host.send(TeamRun, { teamId: "t", task: "Go." });
    assert.equal(status.code, "error");
    assert.match(status.message ?? "", message);
    assert.doesNotMatch(status.message ?? "", /wrong/);
  }
});

it("for tests, turns of the host's own assistants go over a link and back", async (context) => {
  const nats = await startNats(context);
  if (nats === undefined) return;
  const own: TeamDefinition = { ...team, participants: [{ name: "bob" }], maxTurns: 1 };
  for (const [link, code] of [
    [nats.url(), "success"],
    ["nats://127.0.0.1:1", "error"],
  ] as const) {
    await using host = await HostClient.start({ environment: { GAVEL_LINK_LOOPBACK: link } });
    await host.send(TeamOpen, { teamId: "t", definition: own });
    assert.equal((await host.send(TeamRun, { teamId: "t", task: "Go." })).status.code, code);
  }
});

it("a worker stops the turn of a host that was killed", async (context) => {
  const nats = await startNats(context);
  if (nats === undefined) return;
  const link = nats.url({ silence: 2 });
  const closed = Promise.withResolvers<void>();
  await using endpoint = await rawEndpoint((response) => {
    startStream(response, delta({ content: "I am going to" }));
    response.once("close", () => closed.resolve());
  });
  const models = { own: { provider: "openai", model: "m", baseUrl: endpoint.url } };
  await using worker = await WorkerProcess.start({ link, file: { ...annSays({}), models } });
  await using host = await HostClient.start({ link });
  await host.send(TeamOpen, { teamId: "t", definition: team });
  host.send(TeamRun, { teamId: "t", task: "Talk." }).catch(() => {});
  await host.streamed("t", 5);
  await host.kill();
  await closed.promise;
  assert.equal(worker.errors, "");
});

it("a worker that is stopped for a while is lost to its host, and stops what it did when it goes on", async (context) => {
  const nats = await startNats(context);
  if (nats === undefined) return;
  const link = nats.url({ silence: 2 });
  await using worker = await WorkerProcess.start({ link, file: annSays({ ann: [WORDS] }, 50) });
  await using host = await HostClient.start({ link });
  await host.send(TeamOpen, { teamId: "t", definition: team });
  const run = host.send(TeamRun, { teamId: "t", task: "Talk." });
  await host.streamed("t", 20);
  worker.process.kill("SIGSTOP");
  await run;
  const { threadLength } = await host.send(TeamInspect, { teamId: "t" });
  worker.process.kill("SIGCONT");
  // Its turn has ended, so it ends at once; and nothing of that turn is told any more.
  assert.equal(await worker.kill("SIGTERM"), 0);
  assert.deepEqual(
    saidBy(host.eventsOf("t").filter(isDurable)).map(([name]) => name),
    ["ann", "bob"],
  );
  assert.equal((await host.send(TeamInspect, { teamId: "t" })).threadLength, threadLength);
});

it("a link with TLS is reached with the certificate of its authority alone", async (context) => {
  const at = (name: string): string => fileURLToPath(new URL(`../fixtures/certificates/${name}`, import.meta.url));
  const nats = await startNats(context, ["--tls", "--tlscert", at("server.pem"), "--tlskey", at("server.key")]);
  if (nats === undefined) return;
  const link = nats.url({ scheme: "tls" });
  await assert.rejects(
    WorkerProcess.start({ link, file: annSays({ ann: ["Hello."] }) }),
    /The link 127\.0\.0\.1:\d+ \(space "gavel"\) cannot be used: .*certificate/,
  );
  const trusted = `${link}&ca=${encodeURIComponent(at("authority.pem"))}`;
  await using worker = await WorkerProcess.start({ link: trusted, file: annSays({ ann: ["Hello."] }) });
  await using host = await HostClient.start({ link: trusted });
  await host.send(TeamOpen, { teamId: "t", definition: { ...team, maxTurns: 1 } });
  await host.send(TeamRun, { teamId: "t", task: "Go." });
  assert.deepEqual(saidBy(host.eventsOf("t")), [["ann", "Hello."]]);
  assert.equal(worker.errors, "");
});
