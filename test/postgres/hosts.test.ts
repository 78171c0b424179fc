import assert from "node:assert/strict";
import { it } from "node:test";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import { isDurable } from "../../shared/contract/event.ts";
import { textOf } from "../../shared/contract/message-text.ts";
import {
  TeamEvents,
  TeamInspect,
  TeamInterrupt,
  TeamList,
  TeamOpen,
  TeamRun,
  TeamSetModel,
} from "../../shared/contract/requests.ts";
import { until } from "../editor/harness/until.ts";
import { HostClient, refusal } from "../host-client.ts";
import { emptyDatabase, query } from "../servers/postgres.ts";
import { TcpProxy } from "../servers/tcp-proxy.ts";

const WORDS = "word ".repeat(20_000);

/** A team that talks for minutes. */
const talker: TeamDefinition = {
  name: "Talk",
  kind: "roundRobin",
  participants: [{ name: "ann" }],
  models: { default: { provider: "practice", pace: 5, lines: { ann: [WORDS] } } },
  maxTurns: 1,
};

/** A run that another host or a fault may end. */
const begin = (host: HostClient): Promise<unknown> => host.send(TeamRun, { teamId: "t", task: "go" }).catch(() => {});

/** The team runs in the first host, and the second one has opened it. */
async function runInOne(one: HostClient, two: HostClient): Promise<void> {
  await one.send(TeamOpen, { teamId: "t", definition: talker });
  await two.send(TeamOpen, { teamId: "t" });
  void begin(one);
  await one.streamed("t", 20);
}

async function untilAtRest(host: HostClient) {
  return until("the team is at rest", async () => {
    const snapshot = await host.send(TeamInspect, { teamId: "t" });
    return snapshot.status === "running" || snapshot.status === "interrupting" ? undefined : snapshot;
  });
}

/** The team can run in that host: the next speaker begins to talk. */
async function goesOn(host: HostClient): Promise<void> {
  const { lastSeq } = await host.send(TeamInspect, { teamId: "t" });
  const run = begin(host);
  await host.event("t", (event) => event.type === "message/started" && isDurable(event) && event.seq > lastSeq);
  await host.send(TeamInterrupt, { teamId: "t" });
  await run;
}

/** No host has a team, so that each can run it. */
async function untilFree(url: string): Promise<void> {
  await until("the team is free", async () => {
    const claims = await query(url, "SELECT team FROM gavel.runs");
    return claims.length === 0 || undefined;
  });
}

async function storedEvents(host: HostClient) {
  return (await host.send(TeamEvents, { teamId: "t" })).events.filter(isDurable);
}

it("a host that is killed in a run loses nothing it told: another one takes the team over, and goes on", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  await using one = await HostClient.start({ store: `${url}?lease=10` });
  await using two = await HostClient.start({ store: `${url}?lease=10` });
  await runInOne(one, two);
  assert.equal((await refusal(two.send(TeamRun, { teamId: "t", task: "go" }))).data.code, "TeamBusy");
  await one.kill();
  const told = one.eventsOf("t");
  const text = told.flatMap((event) => (event.type === "message/chunk" ? [event.delta] : [])).join("");

  // No one asks for the team: the other host looks for it by itself, and tells its client.
  await two.event("t", ({ type }) => type === "run/ended");
  const snapshot = await untilAtRest(two);
  const partial = snapshot.thread.at(-1);
  assert.ok(text.length > 0 && textOf(partial ?? { content: "" }).startsWith(text));
  const durable = told.filter(isDurable);
  assert.deepEqual((await storedEvents(two)).slice(0, durable.length), durable);
  await goesOn(two);
});

it("a host that was stopped for longer than its lease writes nothing more, and tells no more of that run", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  await using one = await HostClient.start({ store: `${url}?lease=10` });
  await using two = await HostClient.start({ store: `${url}?lease=10` });
  await runInOne(one, two);
  one.process.kill("SIGSTOP");
  await two.event("t", ({ type }) => type === "run/ended");
  await untilAtRest(two);
  const taken = await storedEvents(two);
  one.process.kill("SIGCONT");
  // Its run ends because another host has the team; then it shows what that has made of it.
  await until("the first host has caught up", async () => {
    const { lastSeq } = await one.send(TeamInspect, { teamId: "t" });
    return lastSeq === taken.length || undefined;
  });
  await untilAtRest(one);
  assert.deepEqual(await storedEvents(two), taken);
  assert.deepEqual(await storedEvents(one), taken);
  const numbers = one.eventsOf("t").filter(isDurable);
  assert.deepEqual(
    numbers.map(({ seq }) => seq),
    Array.from({ length: numbers.length }, (_, nth) => nth + 1),
  );
  await goesOn(one);
});

it("a run pauses with its text when the server does not answer, and the team goes on when it does", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  await using proxy = await TcpProxy.to(Number(new URL(url).port));
  await using host = await HostClient.start({ store: proxy.wayTo(`${url}?lease=10`) });
  await host.send(TeamOpen, { teamId: "t", definition: talker });
  const run = begin(host);
  await host.streamed("t", 20);
  proxy.silence();
  await host.storageIs("failing");
  await run;
  proxy.cut();
  const unread = await refusal(host.send(TeamEvents, { teamId: "t" }));
  assert.equal(unread.data.code, "StorageError");
  assert.match(unread.message, /^The store 127\.0\.0\.1:\d+\/\S+ \(space "gavel"\) /);
  proxy.heal();
  await host.storageIs("saving");
  const snapshot = await untilAtRest(host);
  const partial = snapshot.thread.at(-1);
  assert.ok(textOf(partial ?? { content: "" }).startsWith("word word "));
  await goesOn(host);
});

it("a host that has lost a team to another one runs it only once it has it again", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  await using proxy = await TcpProxy.to(Number(new URL(url).port));
  await using one = await HostClient.start({ store: proxy.wayTo(`${url}?lease=4`) });
  await using two = await HostClient.start({ store: `${url}?lease=4` });
  await runInOne(one, two);
  proxy.silence();
  await two.event("t", ({ type }) => type === "run/ended");
  await goesOn(two);
  proxy.cut();
  proxy.heal();
  await one.storageIs("saving");
  await goesOn(one);
  const numbers = one.eventsOf("t").filter(isDurable);
  assert.deepEqual((await storedEvents(two)).slice(0, numbers.length), numbers);
});

it("a host that could not release a team leaves the run alone of the host that has taken it since", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  await using proxy = await TcpProxy.to(Number(new URL(url).port));
  await using one = await HostClient.start({ store: proxy.wayTo(`${url}?lease=4`) });
  await using two = await HostClient.start({ store: `${url}?lease=4` });
  await one.send(TeamOpen, { teamId: "t", definition: talker });
  await two.send(TeamOpen, { teamId: "t" });
  proxy.cutBefore("DELETE FROM runs");
  // The team is claimed for a change that it refuses, and is then to be released without one.
  await refusal(one.send(TeamSetModel, { teamId: "t", to: "eve", model: null }));
  await one.storageIs("failing");
  await untilFree(url);
  void begin(two);
  await two.event("t", ({ type }) => type === "run/started");
  proxy.heal();
  const { status } = await until("the store is read", () => one.send(TeamInspect, { teamId: "t" }));
  assert.equal(status, "running");
  assert.equal((await two.send(TeamInterrupt, { teamId: "t" })).wasRunning, true);
  await untilFree(url);
  await goesOn(one);
});

it("a host that ends releases its teams at once, and others see all teams", async (context) => {
  const url = await emptyDatabase(context);
  if (url === undefined) return;
  const store = `${url}?lease=600`;
  await using two = await HostClient.start({ store });
  {
    await using one = await HostClient.start({ store });
    await one.send(TeamOpen, { teamId: "t", definition: talker });
    void begin(one);
    await one.streamed("t", 20);
    assert.equal(await one.shutdown(), 0);
  }
  assert.partialDeepStrictEqual((await two.send(TeamList, {})).teams, [{ teamId: "t", status: "paused" }]);
  await two.send(TeamOpen, { teamId: "t" });
  await goesOn(two);
});
