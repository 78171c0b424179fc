import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { it, type TestContext } from "node:test";
import { findOnPath } from "../../scripts/editor/find-program.ts";
import { Scratch } from "../contract/harness/scratch.ts";
import { until } from "../editor/harness/until.ts";
import { freePort } from "../servers/free-port.ts";
import { compose, DEPLOY, service } from "./compose-file.ts";
import { composedPostgres } from "./composed-postgres.ts";
import { ComposedServices, type Running } from "./composed-services.ts";

const KEEPER = new URL("../servers/server-keeper.ts", import.meta.url).pathname;

const services = Object.entries(compose.services);

/** What is missing for the tests of a step, or of the programs that the scripts call. */
const missing =
  (process.env["GAVEL_TEST_NATS"] === undefined && "There is no NATS server for the tests.") ||
  (process.env["GAVEL_TEST_POSTGRES"] === undefined && "There is no PostgreSQL for the tests.") ||
  (["sh", "openssl", "psql"].some((program) => findOnPath([program]) === undefined) && "needs sh, openssl and psql");

it("each service can write and do no more than it needs, and only what is said is published", () => {
  for (const [name, { read_only, cap_drop, image, user, ports, networks }] of services) {
    assert.equal(read_only, true, name);
    assert.deepEqual(cap_drop, ["ALL"], name);
    // The image of Gavel has a user of its own.
    assert.ok(image === "gavel" || (user !== undefined && !/^(root|0)/.test(user)), name);
    const isHost = name.startsWith("host-");
    for (const port of ports) assert.match(port, isHost ? /^(\d+:7420|127\.0\.0\.1:\d+:9464)$/ : /^$/, name);
    const isServer = name === "postgres" || name === "nats";
    assert.equal(
      networks.every((network) => compose.networks[network]?.internal === true),
      isServer,
      name,
    );
  }
});

it("a host may drain before it is killed", () => {
  for (const [name, { command, stop_grace_period }] of services) {
    const drain = /--drain-seconds=(\d+)/.exec(command.join(" "))?.[1];
    if (drain !== undefined) assert.ok(Number(drain) < Number.parseInt(stop_grace_period, 10), name);
  }
});

it("its secrets are in no variable, and all of them are made by the script", { skip: missing }, async () => {
  using scratch = new Scratch();
  await using composed = new ComposedServices(scratch.path);
  await composed.makeSecrets();
  const made = readdirSync(composed.secrets);
  const used = new Set(services.flatMap(([, { secrets }]) => secrets.map(({ source }) => source)));
  assert.deepEqual([...used].sort(), Object.keys(compose.secrets).sort());
  for (const [name, { file }] of Object.entries(compose.secrets)) assert.equal(file, `secrets/${name}`);
  // The key of the authority stays where it is made.
  assert.deepEqual(made.filter((name) => name !== "authority.key").sort(), Object.keys(compose.secrets).sort());
  for (const [name, { environment }] of services)
    for (const variable of Object.keys(environment)) assert.match(variable, /_FILE$/, name);
  await assert.rejects(composed.makeSecrets(), /is there already: remove it to make others/);
});

it("Docker takes the file", { skip: spawnSync("docker", ["compose", "version"]).status !== 0 && "no compose" }, () => {
  const { status, stderr } = spawnSync("docker", ["compose", "-f", join(DEPLOY, "compose.yaml"), "config", "--quiet"]);
  assert.equal(status, 0, String(stderr));
});

/** NATS with its file, which ends with the test. */
async function startNats(context: TestContext, config: string, port: number): Promise<void> {
  const args = [KEEPER, process.env["GAVEL_TEST_NATS"] ?? "", "--config", config];
  const nats: ChildProcess = spawn(process.execPath, args, { stdio: ["pipe", "ignore", "pipe"] });
  let said = "";
  nats.stderr?.on("data", (text) => {
    said += String(text);
  });
  const ended = once(nats, "exit");
  context.after(async () => {
    nats.stdin?.end();
    await ended;
  });
  await until("NATS listens", async () => {
    if (nats.exitCode !== null) throw new Error(`NATS has ended: ${said}`);
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect").finally(() => socket.destroy());
    return true;
  });
}

/** A team that talks for minutes, in the host itself. */
const TALK = {
  name: "Talk",
  kind: "roundRobin",
  participants: [{ name: "ann" }],
  models: { default: { provider: "practice", pace: 20, lines: { ann: ["word ".repeat(20_000)] } } },
  maxTurns: 1,
};

it("its services, run without Docker, are two hosts that share threads and workers", {
  skip: missing,
}, async (context) => {
  using scratch = new Scratch();
  await using composed = new ComposedServices(scratch.path);
  await composed.makeSecrets();
  writeFileSync(join(composed.work, "talk.team.json"), JSON.stringify(TALK));

  composed.prepare("postgres");
  await using postgres = await composedPostgres(join(scratch.path, "postgres"));
  composed.put("postgres:5432", `127.0.0.1:${postgres.port}`);
  const [natsPort, monitor] = [await freePort(), await freePort()];
  composed.put("nats:4222", `127.0.0.1:${natsPort}`);
  composed.prepare(
    "nats",
    new Map([
      ["0.0.0.0:4222", `127.0.0.1:${natsPort}`],
      ["127.0.0.1:8222", `127.0.0.1:${monitor}`],
    ]),
  );
  await startNats(context, join(scratch.path, "nats/etc/nats/nats.conf"), natsPort);
  assert.equal((await fetch(`http://127.0.0.1:${monitor}/healthz`)).status, 200);

  const workers: Running[] = [];
  const atWorker = composed.prepare("worker");
  for (let nth = 0; nth < (service("worker").deploy?.replicas ?? 1); nth++)
    workers.push(composed.start("worker", atWorker));
  const [a, b] = await Promise.all(["host-a", "host-b"].map((name) => startHost(composed, name)));
  assert.ok(a !== undefined && b !== undefined);
  for (const worker of workers)
    await until("the worker is on the link", () => worker.written().includes("is on the link") || undefined);
  assert.equal(workers.length, 2);

  const ran = await a.exec("run", "ask.team.yaml", "Who are you?");
  assert.equal(ran.code, 0, ran.stderr);
  assert.match(ran.stdout, /helper\n +I am a helper, and I run on a worker\./);
  const [thread] = JSON.parse((await b.exec("list", "--json")).stdout);

  // A user of another computer, who has the certificate and a token.
  const token = (await b.exec("serve", "--add-user", "eva", "--user-name", "Eva")).stdout.trim();
  const eva = async (...args: string[]) => {
    const from = ["--host", b.address, "--certificate", join(composed.secrets, "authority.pem")];
    return await composed.elsewhere(["gavel", ...args, ...from], { GAVEL_HOST_TOKEN: token });
  };
  const shown = await eva("show", thread.teamId);
  assert.match(shown.stdout, /I am a helper, and I run on a worker\./, shown.stderr);
  const again = await eva("run", "--thread", thread.teamId, "Again, please.");
  assert.equal(again.code, 0, again.stderr);
  assert.match((await a.exec("show", thread.teamId)).stdout, /Eva\n +Again, please\.\n+helper\n/);

  // The first host ends: it lets its run go on, and does not wait when it is told again.
  const talk = composed.start("host-a", a.placed, ["gavel", "run", "--json", "talk.team.json", "Talk."]);
  await until("the team talks", () => talk.written().includes("message/chunk") || undefined);
  a.process.kill("SIGTERM");
  await until("the host is not ready", async () => (await a.ready()) === 503 || undefined);
  assert.equal(a.process.exitCode, null);
  a.process.kill("SIGTERM");
  const ended = await a.ended;
  assert.equal(ended.code, 0, ended.stderr);
  assert.doesNotMatch(`${ended.stdout}${ended.stderr}`, /without TLS/);
  assert.match(ended.stdout, /"message":"Host ends when its runs have, within 120 s\."/);
  await talk.ended;
  assert.equal(await b.ready(), 200);
  const threads: { teamId: string; name: string }[] = JSON.parse((await b.exec("list", "--json")).stdout);
  const talked = threads.find(({ name }) => name.startsWith("Talk"));
  assert.match((await b.exec("show", talked?.teamId ?? "")).stdout, /ann \(interrupted\)\n +word/);

  for (const { process: child } of [b, ...workers]) child.kill("SIGTERM");
  assert.deepEqual(await Promise.all([b, ...workers].map(async (each) => (await each.ended).code)), [0, 0, 0]);
});

/** A host of the file, once it is ready, and what one does in its container. */
async function startHost(composed: ComposedServices, name: string) {
  const [network, metrics] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const addresses = [
    ["0.0.0.0:7420", network],
    ["0.0.0.0:9464", metrics],
  ] as const;
  const placed = composed.prepare(name, new Map(addresses));
  const running = composed.start(name, placed);
  const ready = async () => (await fetch(`http://${metrics}/readyz`)).status;
  await until(`${name} is ready`, async () => {
    if (running.process.exitCode !== null) throw new Error((await running.ended).stderr);
    return (await ready()) === 200 || undefined;
  });
  const exec = (...args: string[]) => composed.exec(name, placed, ["gavel", ...args]);
  return { ...running, address: network, placed, ready, exec };
}
