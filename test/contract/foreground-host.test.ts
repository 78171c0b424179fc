import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { readHostPlace } from "../../socket/place-file.ts";
import { until } from "../editor/harness/until.ts";
import { HostClient } from "../host-client.ts";
import { freePort } from "../servers/free-port.ts";
import { CommandLine } from "./harness/command-line.ts";
import { ForegroundCommand } from "./harness/foreground-host.ts";
import { HeldEndpoint } from "./harness/held-endpoint.ts";
import type { JoinedClient } from "./harness/joined-client.ts";
import { AUTHORITY, TLS } from "./harness/network-host.ts";
import { openai, roundRobin } from "./harness/teams.ts";

const teamId = "t";

/** A client of the host runs a team, which speaks in the middle of its message. */
async function runUntilSpeaking(host: ForegroundCommand, endpoint: HeldEndpoint): Promise<JoinedClient> {
  const client = await host.join();
  const definition = roundRobin({ model: openai(endpoint.baseUrl), maxTurns: 1 });
  await client.send(TeamOpen, { teamId, definition });
  void client.send(TeamRun, { teamId, task: "go" }).catch(() => undefined);
  await client.event(teamId, (event) => event.type === "message/chunk");
  return client;
}

/** The last message of the team, and whether it is partial, as the next host finds it. */
async function lastStored(storagePath: string) {
  await using next = await HostClient.start({ storagePath });
  const { thread } = await next.send(TeamOpen, { teamId });
  return [thread.at(-1)?.content, thread.at(-1)?.partial];
}

const readiness = async ({ metrics }: ForegroundCommand): Promise<number> => (await fetch(`${metrics}/readyz`)).status;

describe("gavel serve --foreground", { skip: process.platform === "win32" && "needs the signals of Unix" }, () => {
  it("stays, is found by the other commands, and ends with 0 when one of them ends its host", async () => {
    using gavel = new CommandLine();
    await using host = await ForegroundCommand.start(gavel, ["--log", "-"]);
    assert.equal(await readiness(host), 200);
    assert.equal(host.process.exitCode, null);
    const status = await gavel.run(["serve", "--status"]);
    assert.match(status.stdout, /^An agent host of Gavel .* no thread is running\n$/);
    const second = await gavel.run(["serve", "--foreground"]);
    assert.equal(second.code, 1);
    assert.match(
      second.stderr,
      /^gavel: An agent host serves the threads of .* already; "gavel serve --stop" ends it\.\n$/,
    );
    assert.match((await gavel.run(["serve", "--stop"])).stdout, /has ended; its threads are kept\./);
    const { code, stdout, stderr } = await host.ended;
    assert.equal(code, 0, stderr);
    const lines: { message: string }[] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.match(lines[0]?.message ?? "", /^Host started: process \d+,/);
    assert.equal(lines.at(-1)?.message, "Host is shutting down.");
  });

  it("lets runs end after SIGTERM, and ends with the code of its host", async () => {
    using gavel = new CommandLine();
    await using endpoint = await HeldEndpoint.start("I am |ann.");
    await using host = await ForegroundCommand.start(gavel, ["--drain-seconds", "600"]);
    const client = await runUntilSpeaking(host, endpoint);
    host.process.kill("SIGTERM");
    await until("the host is not ready", async () => (await readiness(host)) === 503 || undefined);
    assert.equal(host.process.exitCode, null);
    endpoint.goOn();
    const { code, stderr } = await host.ended;
    assert.equal(code, 0, stderr);
    client.vanish();
    assert.deepEqual(await lastStored(host.storagePath), ["I am ann.", undefined]);
  });

  it("does not wait for the runs after a second signal", async () => {
    using gavel = new CommandLine();
    await using endpoint = await HeldEndpoint.start("I am |ann.");
    await using host = await ForegroundCommand.start(gavel, ["--drain-seconds", "600"]);
    const client = await runUntilSpeaking(host, endpoint);
    host.process.kill("SIGINT");
    await until("the host is not ready", async () => (await readiness(host)) === 503 || undefined);
    host.process.kill("SIGINT");
    assert.equal((await host.ended).code, 0);
    client.vanish();
    assert.deepEqual(await lastStored(host.storagePath), ["I am ", true]);
  });

  it("leaves no host behind when it is killed, and what was said is kept", async () => {
    using gavel = new CommandLine();
    await using endpoint = await HeldEndpoint.start("I am |ann.");
    await using host = await ForegroundCommand.start(gavel, ["--drain-seconds", "600"]);
    const client = await runUntilSpeaking(host, endpoint);
    host.process.kill("SIGKILL");
    await client.closed();
    await until("the host has ended", () => existsSync(join(host.storagePath, "host.json")) === false || undefined);
    assert.deepEqual(await lastStored(host.storagePath), ["I am ", true]);
  });

  it("says when its host was killed, and ends with the code of that", async () => {
    using gavel = new CommandLine();
    await using host = await ForegroundCommand.start(gavel);
    process.kill(readHostPlace(host.storagePath)?.pid ?? 0, "SIGKILL");
    const { code, stderr } = await host.ended;
    assert.equal(code, 137);
    const last = stderr.trim().split("\n").at(-1);
    assert.equal(last, "gavel: The agent host was ended by SIGKILL; what it had stored is kept: serve again.");
  });

  it("ends when it is idle, if it is to", async () => {
    using gavel = new CommandLine();
    await using host = await ForegroundCommand.start(gavel, ["--idle-minutes", "0.001"]);
    assert.equal((await host.ended).code, 0);
  });

  it("lets users of other computers join who are added while it runs", async () => {
    using gavel = new CommandLine();
    const address = `127.0.0.1:${await freePort()}`;
    const tls = ["--certificate", TLS.certificate, "--key", TLS.key];
    await using host = await ForegroundCommand.start(gavel, ["--listen", address, ...tls]);
    assert.equal(await readiness(host), 200);
    const { stdout: token } = await gavel.run(["serve", "--add-user", "ann"]);
    const variables = { GAVEL_HOST_TOKEN: token.trim() };
    const { code, stderr } = await gavel.run(["list", "--host", address, "--certificate", AUTHORITY], { variables });
    assert.equal(code, 0, stderr);
  });

  it("says why its host cannot start, or cannot reach its store, in one sentence", async () => {
    using gavel = new CommandLine();
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const address = taken.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const deaf = await gavel.run(["serve", "--foreground", "--metrics", `127.0.0.1:${port}`]);
    taken.close();
    assert.equal(deaf.code, 1);
    assert.match(
      deaf.stderr,
      /^gavel: The agent host did not start: The metrics cannot be served on .*EADDRINUSE.*\n$/,
    );
    const variables = { GAVEL_STORE: "postgres://gavel@127.0.0.1:1/db" };
    const lost = await gavel.run(["serve", "--foreground"], { variables });
    assert.equal(lost.code, 1);
    assert.match(lost.stderr, /^gavel: .*127\.0\.0\.1:1\/db.*\n$/m);
    assert.match((await gavel.run(["serve", "--status"])).stdout, /^No agent host runs for /);
  });
});
