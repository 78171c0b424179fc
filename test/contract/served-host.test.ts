import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { TeamEvent } from "../../shared/contract/event.ts";
import {
  TeamEvents,
  TeamFollow,
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamRun,
} from "../../shared/contract/requests.ts";
import { HostRefusedError } from "../../socket/ask-host.ts";
import { joinHost } from "../../socket/join-host.ts";
import { readHostPlace } from "../../socket/place-file.ts";
import { serveHost } from "../../socket/serve-host.ts";
import { stopHost } from "../../socket/stop-host.ts";
import { HostClient, SERVER } from "../host-client.ts";
import { HeldEndpoint } from "./harness/held-endpoint.ts";
import type { JoinedClient } from "./harness/joined-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { ServedHost } from "./harness/served-host.ts";
import { openai, roundRobin } from "./harness/teams.ts";

const teamId = "t";
const RETURNING = "a-window-that-is-reloaded";

const saidIn = (events: readonly TeamEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === "message/added" ? [String(event.message.content)] : []));

const numbersIn = (events: readonly TeamEvent[]): readonly number[] =>
  events.flatMap((event) => ("seq" in event ? [event.seq] : []));

/** The open client runs the team, which speaks in the middle of its first message. */
async function runUntilSpeaking(client: JoinedClient): Promise<void> {
  void client.send(TeamRun, { teamId, task: "go" }).catch(() => undefined);
  await client.event(teamId, (event) => event.type === "message/chunk");
}

describe("a host without a parent", () => {
  it("goes on when its only client leaves in the middle of a message, and another finds the rest", async () => {
    using scratch = new Scratch();
    await using endpoint = await HeldEndpoint.start("I am |ann.");
    await using host = await ServedHost.start({ storagePath: scratch.path });
    const first = await host.join();
    assert.equal(first.keepsRunning, true);
    const model = openai(endpoint.baseUrl);
    await first.send(TeamOpen, { teamId, definition: roundRobin({ model, maxTurns: 1 }) });
    await runUntilSpeaking(first);
    await first.leave();
    const second = await host.join();
    const { status, streaming } = await second.send(TeamOpen, { teamId });
    assert.deepEqual([status, streaming.map(({ text }) => text)], ["running", ["I am "]]);
    endpoint.goOn();
    await second.event(teamId, (event) => event.type === "run/ended");
    assert.deepEqual(saidIn(second.eventsOf(teamId)), ["I am ann."]);
    second.vanish();
  });

  it("is one for a storage folder: a second is not started, and the first can be joined", async () => {
    using scratch = new Scratch();
    const options = { storagePath: scratch.path };
    await using host = await ServedHost.start(options);
    const { pid } = readHostPlace(scratch.path) ?? {};
    const { listening } = await serveHost({ serverModule: SERVER, options, env: process.env });
    assert.equal(listening, false);
    assert.equal(readHostPlace(scratch.path)?.pid, pid);
    (await host.join()).vanish();
  });

  it("is ended by a client: what runs is interrupted and kept, and no one finds it any more", async () => {
    using scratch = new Scratch();
    await using endpoint = await HeldEndpoint.start("I am |ann.");
    await using host = await ServedHost.start({ storagePath: scratch.path });
    const client = await host.join();
    await client.send(TeamOpen, { teamId, definition: roundRobin({ model: openai(endpoint.baseUrl) }) });
    await runUntilSpeaking(client);
    const closed = client.closed();
    assert.equal(await stopHost(scratch.path), true);
    await closed;
    assert.equal(existsSync(join(scratch.path, "host.json")), false);
    assert.equal(await joinHost(scratch.path), undefined);
    assert.equal(await stopHost(scratch.path), false);
    await using next = await HostClient.start({ storagePath: scratch.path });
    const { status, interrupted } = await next.send(TeamOpen, { teamId });
    assert.deepEqual([status, interrupted], ["paused", true]);
    const { events } = await next.send(TeamEvents, { teamId });
    assert.deepEqual(saidIn(events), ["go", "I am "]);
  });

  it("ends by itself when it has no client and no run", async () => {
    using scratch = new Scratch();
    await using _host = await ServedHost.start({ storagePath: scratch.path, idleMinutes: 0.001 });
    const place = join(scratch.path, "host.json");
    while (existsSync(place)) await setTimeout(10);
    assert.equal(await joinHost(scratch.path), undefined);
  });

  it("is not what a window or a terminal has started: that one says who has to end it", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start({ storagePath: scratch.path, share: true });
    await assert.rejects(stopHost(scratch.path), (error: unknown) => {
      assert.ok(error instanceof HostRefusedError);
      const who = `The agent host was started by another window or terminal (process ${process.pid})`;
      assert.equal(error.message, `${who}; close that one, or restart the host there.`);
      return true;
    });
    const joined = await joinHost(scratch.path);
    assert.equal(joined?.keepsRunning, false);
    joined.stream.destroy();
    assert.ok(host);
  });

  it("says why it cannot start, in one sentence", async () => {
    using scratch = new Scratch();
    const options = { storagePath: scratch.path, idleMinutes: -1 };
    await assert.rejects(
      serveHost({ serverModule: SERVER, options, env: process.env }),
      /^Error: The agent host did not start: /,
    );
  });
});

describe("a client that returns", () => {
  it("is sent what it missed, and is told what comes after that, each event once", async () => {
    using scratch = new Scratch();
    await using host = await ServedHost.start({ storagePath: scratch.path });
    const [first, second] = [await host.join(), await host.join()];
    await first.send(TeamOpen, { teamId, definition: roundRobin({ maxTurns: 2 }) });
    await second.send(TeamOpen, { teamId });
    await first.send(TeamRun, { teamId, task: "one" });
    await second.send(TeamInspect, { teamId });
    const known = second
      .eventsOf(teamId)
      .filter((event) => "seq" in event)
      .at(-1);
    assert.ok(known !== undefined && "seq" in known);
    second.vanish();
    await first.send(TeamRun, { teamId, task: "two" });
    const again = await host.join();
    const answer = await again.send(TeamFollow, { teamId, after: known.seq, at: known.at });
    assert.ok("events" in answer);
    await first.send(TeamRun, { teamId, task: "three" });
    await again.send(TeamInspect, { teamId });
    const all = [...second.eventsOf(teamId), ...answer.events, ...again.eventsOf(teamId)];
    assert.deepEqual(numbersIn(all), numbersIn(first.eventsOf(teamId)));
    assert.deepEqual(saidIn(all), saidIn(first.eventsOf(teamId)));
    for (const client of [first, again]) client.vanish();
  });

  it("gets the team as it is in the middle of a message, of another team of that name, and from nothing", async () => {
    using scratch = new Scratch();
    await using endpoint = await HeldEndpoint.start("I am |ann.");
    await using host = await ServedHost.start({ storagePath: scratch.path });
    const client = await host.join();
    const model = openai(endpoint.baseUrl);
    await client.send(TeamOpen, { teamId, definition: roundRobin({ model, maxTurns: 1 }) });
    await runUntilSpeaking(client);
    const other = await host.join();
    const last = Math.max(...numbersIn(client.eventsOf(teamId)));
    const within = await other.send(TeamFollow, { teamId, after: last });
    assert.deepEqual("snapshot" in within && within.snapshot.streaming.map(({ text }) => text), ["I am "]);
    endpoint.goOn();
    await other.event(teamId, (event) => event.type === "run/ended");
    assert.deepEqual(saidIn(other.eventsOf(teamId)), ["I am ann."]);
    const at = "2001-01-01T00:00:00.000Z";
    assert.ok("snapshot" in (await other.send(TeamFollow, { teamId, after: last, at })));
    assert.ok("snapshot" in (await other.send(TeamFollow, { teamId, after: 0 })));
    assert.ok("snapshot" in (await other.send(TeamFollow, { teamId, after: 9_999 })));
    for (const one of [client, other]) one.vanish();
  });

  it("answers for the runs that it has started before", async () => {
    using scratch = new Scratch();
    await using endpoint = await HeldEndpoint.start("I am |ann.", "I am bob.");
    await using host = await ServedHost.start({ storagePath: scratch.path });
    const keys: string[] = [];
    const answering = (name: string) => ({
      clientId: RETURNING,
      answers: (connection: JoinedClient["connection"]) =>
        void connection.onRequest("credentials/get", () => {
          keys.push(name);
          return { value: "sk-1" };
        }),
    });
    const before = await host.join(answering("before"));
    const model = { ...openai(endpoint.baseUrl), apiKey: { secret: "lab" } };
    await before.send(TeamOpen, { teamId, definition: roundRobin({ model, maxTurns: 2 }) });
    await runUntilSpeaking(before);
    before.vanish();
    await before.closed();
    // A client of another user does not take its place.
    const stranger = await host.join({ ...answering("stranger"), user: "bob" });
    const after = await host.join(answering("after"));
    await after.send(TeamOpen, { teamId });
    endpoint.goOn();
    await after.event(teamId, (event) => event.type === "run/ended");
    assert.deepEqual(saidIn(after.eventsOf(teamId)), ["I am ann.", "I am bob."]);
    assert.deepEqual(keys, ["before", "after"]);
    for (const client of [stranger, after]) client.vanish();
  });
});

describe("clients that have the same team open", () => {
  it("are told of each other, of who writes, and of who leaves", async () => {
    using scratch = new Scratch();
    await using host = await ServedHost.start({ storagePath: scratch.path });
    const [eve, max] = [await host.join({ user: "eve" }), await host.join({ user: "max" })];
    await eve.send(TeamOpen, { teamId, definition: roundRobin() });
    assert.equal(eve.present.size, 0);
    await max.send(TeamOpen, { teamId });
    await eve.presence(teamId, (clients) => clients.length === 2);
    const shown = (client: JoinedClient): unknown =>
      client.present.get(teamId)?.map(({ user, isSelf, isWriting }) => [user.id, isSelf, isWriting]);
    await max.presence(teamId, (clients) => clients.length === 2);
    assert.deepEqual(shown(eve), [
      ["eve", true, false],
      ["max", false, false],
    ]);
    assert.deepEqual(shown(max), [
      ["eve", false, false],
      ["max", true, false],
    ]);
    await max.connection.sendNotification("team/writing", { teamId, isWriting: true });
    await eve.presence(teamId, (clients) => clients.some(({ isWriting }) => isWriting));
    assert.deepEqual(shown(eve), [
      ["eve", true, false],
      ["max", false, true],
    ]);
    max.vanish();
    await eve.presence(teamId, (clients) => clients.length === 1);
    assert.deepEqual(shown(eve), [["eve", true, false]]);
    const { status } = await eve.send(TeamInspect, { teamId });
    assert.equal(status, "idle");
    await assert.rejects(eve.send(TeamInterrupt, { teamId: "none" }));
    eve.vanish();
  });
});
