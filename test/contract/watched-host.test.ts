import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, renameSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { readHostPlace } from "../../socket/place-file.ts";
import { serveHost } from "../../socket/serve-host.ts";
import { stopHost } from "../../socket/stop-host.ts";
import { until } from "../editor/harness/until.ts";
import { refusal, SERVER } from "../host-client.ts";
import { HeldEndpoint } from "./harness/held-endpoint.ts";
import { JoinedClient } from "./harness/joined-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { openai, roundRobin } from "./harness/teams.ts";

const teamId = "t-secret-name";

/** A host without a parent that is watched, which ends with the test. */
async function watched(storagePath: string, more: { readonly log?: string; readonly drainSeconds?: number } = {}) {
  const { OPENAI_API_KEY: _, ...env } = process.env;
  const { log, drainSeconds } = more;
  const { metricsPort = 0 } = await serveHost({
    serverModule: SERVER,
    options: {
      storagePath,
      metrics: { host: "127.0.0.1", port: 0 },
      ...(log === undefined ? {} : { log: { path: log } }),
      ...(drainSeconds === undefined ? {} : { drainSeconds }),
    },
    env,
  });
  const get = async (path: string, method = "GET") => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}${path}`, { method });
    return { status: response.status, text: await response.text() };
  };
  return {
    metricsPort,
    get,
    pid: readHostPlace(storagePath)?.pid ?? 0,
    [Symbol.asyncDispose]: async () => void (await stopHost(storagePath)),
  };
}

describe("a host that is watched", () => {
  it("tells how it does, in numbers alone", async () => {
    using scratch = new Scratch();
    await using endpoint = await HeldEndpoint.start("I am |ann.");
    await using host = await watched(scratch.path);
    assert.deepEqual(await host.get("/readyz"), { status: 200, text: "The agent host is ready.\n" });
    const client = await JoinedClient.join({ storagePath: scratch.path });
    const model = openai(endpoint.baseUrl);
    await client.send(TeamOpen, { teamId, definition: roundRobin({ model, maxTurns: 1 }) });
    const run = client.send(TeamRun, { teamId, task: "a private task" });
    await client.event(teamId, (event) => event.type === "message/chunk");
    const during = (await host.get("/metrics")).text;
    for (const line of ["gavel_clients 1", "gavel_teams_open 1", "gavel_runs_running 1", "gavel_storage_saving 1"])
      assert.ok(during.split("\n").includes(line), line);
    endpoint.goOn();
    await run;
    const { status, text } = await host.get("/metrics");
    assert.equal(status, 200);
    for (const line of [
      "gavel_runs_running 0",
      'gavel_runs_total{status="success"} 1',
      'gavel_events_total{type="run/ended"} 1',
      "gavel_turn_seconds_count 1",
    ])
      assert.ok(text.split("\n").includes(line), line);
    assert.match(text, /^gavel_event_stored_seconds_count [1-9]/m);
    assert.match(text, /^process_resident_memory_bytes \d/m);
    assert.doesNotMatch(text, /secret-name|private|"ann"/);
    client.vanish();
  });

  it("answers nothing else", async () => {
    using scratch = new Scratch();
    await using host = await watched(scratch.path);
    assert.deepEqual(await host.get("/healthz"), { status: 200, text: "The agent host runs.\n" });
    assert.deepEqual(await host.get("/../etc/passwd"), {
      status: 404,
      text: "There are /healthz, /readyz and /metrics.\n",
    });
    assert.deepEqual(await host.get("/metrics", "POST"), { status: 405, text: "Use GET or HEAD.\n" });
    assert.equal((await host.get("/metrics", "HEAD")).text, "");
  });

  it("does not start where its metrics cannot be served, and says why", async () => {
    using scratch = new Scratch();
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const address = taken.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const options = { storagePath: scratch.path, metrics: { host: "127.0.0.1", port } };
    await assert.rejects(
      serveHost({ serverModule: SERVER, options, env: process.env }),
      new RegExp(`The metrics cannot be served on 127\\.0\\.0\\.1, port ${port}: .*EADDRINUSE`),
    );
    taken.close();
  });

  it("writes a log of lines of JSON, which can be moved away", async () => {
    using scratch = new Scratch();
    const log = join(scratch.path, "gavel.log");
    await using host = await watched(scratch.path, { log });
    const lines = (path: string): { level: string; message: string; time: string; pid: number }[] =>
      readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line));
    const client = await JoinedClient.join({ storagePath: scratch.path });
    const started = await until("the host has logged", () =>
      lines(log).find(({ message }) => message.startsWith("Host started")),
    );
    assert.partialDeepStrictEqual(started, { level: "info", pid: host.pid });
    assert.match(started.time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const moved = join(scratch.path, "gavel.log.1");
    renameSync(log, moved);
    process.kill(host.pid, "SIGHUP");
    await until("the log is made again", () => readLines(log));
    client.vanish();
    await until("the new file has lines", () => lines(log).find(({ message }) => message.includes("has left")));
    assert.ok(!lines(moved).some(({ message }) => message.includes("has left")));
  });

  it("after SIGTERM lets a run end, starts no other, and is not ready", async () => {
    using scratch = new Scratch();
    await using endpoint = await HeldEndpoint.start("I am |ann.");
    await using host = await watched(scratch.path, { drainSeconds: 600 });
    const client = await JoinedClient.join({ storagePath: scratch.path });
    const model = openai(endpoint.baseUrl);
    for (const id of [teamId, "other"])
      await client.send(TeamOpen, { teamId: id, definition: roundRobin({ model, maxTurns: 1 }) });
    const run = client.send(TeamRun, { teamId, task: "go" });
    await client.event(teamId, (event) => event.type === "message/chunk");
    process.kill(host.pid, "SIGTERM");
    await until("the host is not ready", async () => (await host.get("/readyz")).status === 503 || undefined);
    const refused = await refusal(client.send(TeamRun, { teamId: "other", task: "go" }));
    assert.match(refused.message, /^The agent host is ending and starts no more runs;/);
    assert.match((await host.get("/metrics")).text, /^gavel_draining 1$/m);
    endpoint.goOn();
    // The process may be gone before its client has read the answer.
    await Promise.allSettled([run]);
    await client.closed();
    assert.deepEqual(await lastStored(scratch.path), ["I am ann.", undefined]);
  });

  it("after a second SIGTERM interrupts the run, with its partial kept", async () => {
    using scratch = new Scratch();
    await using endpoint = await HeldEndpoint.start("I am |ann.");
    await using host = await watched(scratch.path, { drainSeconds: 600 });
    const client = await JoinedClient.join({ storagePath: scratch.path });
    const model = openai(endpoint.baseUrl);
    await client.send(TeamOpen, { teamId, definition: roundRobin({ model, maxTurns: 1 }) });
    const run = client.send(TeamRun, { teamId, task: "go" });
    await client.event(teamId, (event) => event.type === "message/chunk");
    process.kill(host.pid, "SIGTERM");
    await until("the host is not ready", async () => (await host.get("/readyz")).status === 503 || undefined);
    process.kill(host.pid, "SIGTERM");
    // The process may be gone before its client has read the answer.
    await Promise.allSettled([run]);
    await client.closed();
    assert.deepEqual(await lastStored(scratch.path), ["I am ", true]);
  });
});

/** The last message of the team, and whether it is partial, as another host finds it. */
async function lastStored(storagePath: string) {
  await using _next = await watched(storagePath);
  const returned = await JoinedClient.join({ storagePath });
  const { thread } = await returned.send(TeamOpen, { teamId });
  returned.vanish();
  const last = thread.at(-1);
  return [last?.content, last?.partial];
}

function readLines(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
