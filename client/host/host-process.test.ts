import assert from "node:assert/strict";
import { test } from "node:test";
import { TeamList } from "../../shared/contract/requests.ts";
import { HostRefusedError } from "../../socket/ask-host.ts";
import { errorActionsFor } from "../errors/error-actions-for.ts";
import { ALONE } from "../testing/alone.ts";
import { memoryLog } from "../testing/memory-log.ts";
import { type Connect, HostProcess } from "./host-process.ts";
import type { ReachedHost } from "./reached-host.ts";

/** A host whose processes start at once and answer every request with no teams; `exit` ends the last one. */
function startHost(host: ReachedHost = { isOwn: true, keepsRunning: false, gavelVersion: "1.0.0" }) {
  const { log, lines } = memoryLog();
  const exits: (() => void)[] = [];
  const connect: Connect = async (listen, closed) => {
    const connection = {
      request: async () => JSON.parse('{"teams":[]}'),
      stop: async () => undefined,
      host,
      onTeamEvent: () => ({ dispose: () => undefined }),
      onStorageStatus: () => ({ dispose: () => undefined }),
      onDraftPart: () => ({ dispose: () => undefined }),
      people: ALONE,
    };
    exits.push(closed);
    listen(connection);
    return connection;
  };
  const process = new HostProcess(log, connect, async () => {
    exits.at(-1)?.();
    return host.keepsRunning;
  });
  const said = (): readonly string[] => lines.map((line) => line.replace(/\d+ ms/, "N ms"));
  const ask = () => process.request(TeamList, {});
  return { host: process, ask, said, exit: () => exits.at(-1)?.() };
}

const started = ["info: Starting the agent host.", "info: The agent host is ready after N ms."];
const exited = "error: The agent host exited unexpectedly.";

test("the host starts with the first request, and the log says so", async () => {
  const { host, ask, said } = startHost();
  assert.equal(host.state, "unused");
  await ask();
  assert.equal(host.state, "ready");
  assert.deepEqual(said(), started);
});

test("a host that exits is restarted, and the log says why", async () => {
  const { host, ask, said, exit } = startHost();
  await ask();
  exit();
  await ask();
  assert.equal(host.state, "ready");
  assert.deepEqual(said(), [...started, exited, "info: Restarting the agent host automatically.", ...started]);
});

test("a host that exits too often stays down until the user restarts it", async () => {
  const { host, ask, said, exit } = startHost();
  await ask();
  for (let times = 0; times < 6; times++) exit();
  assert.equal(host.state, "down");
  await assert.rejects(ask(), { name: "HostDownError" });
  assert.deepEqual(said().slice(-2), [
    exited,
    "error: The agent host exited too often, so it is not restarted automatically.",
  ]);
  await host.restart();
  assert.equal(host.state, "ready");
  assert.deepEqual(said().slice(-3), ["info: Restarting the agent host, as requested by the user.", ...started]);
});

test("a host that the user restarts is shut down first", async () => {
  const { host, ask, said } = startHost();
  await ask();
  await host.restart();
  assert.deepEqual(said().slice(2), [
    "info: Restarting the agent host, as requested by the user.",
    "info: The agent host has shut down.",
    ...started,
  ]);
});

test("a host that exits too often stays down, also when the clock jumps an hour ahead each time", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 0 });
  const { host, ask, exit } = startHost();
  await ask();
  for (let times = 0; times < 6; times++) {
    t.mock.timers.setTime(Date.now() + 3_600_000);
    exit();
  }
  assert.equal(host.state, "down");
});

test("a clock that was set back does not keep a host down that has exited seldom", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 0 });
  let elapsed = 0;
  t.mock.method(performance, "now", () => elapsed);
  const { host, ask, exit } = startHost();
  await ask();
  for (let times = 0; times < 6; times++) {
    elapsed += 3_600_000;
    exit();
  }
  await ask();
  assert.equal(host.state, "ready");
});

const joined = { isOwn: false, keepsRunning: false, gavelVersion: "1.0.0" };
const served = { isOwn: false, keepsRunning: true, gavelVersion: "1.0.0" };

test("a window follows when the one that has started the host closes, which is no failure", async () => {
  const { host, ask, said, exit } = startHost(joined);
  await ask();
  for (let times = 0; times < 20; times++) {
    exit();
    await ask();
  }
  assert.equal(host.state, "ready");
  assert.deepEqual(
    said().filter((line) => line.startsWith("error")),
    [],
  );
});

test("windows whose hosts close all the time are not followed forever", async () => {
  const { host, ask, exit } = startHost(joined);
  await ask();
  while (host.state === "ready") {
    exit();
    await ask().catch(() => undefined);
  }
  assert.equal(host.state, "down");
});

test("a host that keeps running and exits is restarted only so often", async () => {
  const { host, ask, exit } = startHost(served);
  await ask();
  for (let times = 0; times < 5; times++) {
    exit();
    await ask();
  }
  exit();
  assert.equal(host.state, "down");
});

test("a host that the user has stopped stays so until the user wants another", async () => {
  const { host, ask, said } = startHost(served);
  await ask();
  assert.equal(await host.end(), true);
  assert.equal(host.state, "down");
  await assert.rejects(ask(), { name: "HostEndedError" });
  assert.equal(said().at(-1), "info: The agent host has ended, as requested by the user.");
  await host.restart();
  assert.equal(host.state, "ready");
  assert.deepEqual(host.reached, served);
});

test("a host that runs and refuses this window is not tried again until the user wants it", async () => {
  let tries = 0;
  const { log } = memoryLog();
  const host = new HostProcess(log, async () => {
    tries += 1;
    throw new HostRefusedError("Update the older of the two.");
  });
  const labels = ["Stop That Host", "Try Again"];
  await assert.rejects(host.request(TeamList, {}), (error) => {
    assert.deepEqual(
      errorActionsFor(error, undefined).map(({ label }) => label),
      labels,
    );
    return true;
  });
  assert.equal(host.state, "down");
  await assert.rejects(host.request(TeamList, {}), {
    name: "RunningHostError",
    message: "Update the older of the two.",
  });
  assert.equal(tries, 1);
  await assert.rejects(host.restart());
  assert.equal(tries, 2);
});
