import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { pathToFileURL } from "node:url";
import { Channels, linkAddress, secureOpened } from "../../server/link/index.ts";
import { connectNats } from "../../server/link/nats-link.ts";
import { isDurable, type TeamEvent } from "../../shared/contract/event.ts";
import { HostJoin } from "../../shared/contract/joining.ts";
import { textOf } from "../../shared/contract/message-text.ts";
import {
  TeamEvents,
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamRun,
  TeamSendUserMessage,
} from "../../shared/contract/requests.ts";
import type { TaskResult } from "../../shared/contract/team.ts";
import { PROTOCOL_VERSION } from "../../shared/contract/version.ts";
import { askOver } from "../../socket/ask-host.ts";
import { Scratch } from "../contract/harness/scratch.ts";
import { until } from "../editor/harness/until.ts";
import { type HostClient, refusal } from "../host-client.ts";
import { query } from "../servers/postgres.ts";
import { hostsOnLink, talker } from "./hosts-on-link.ts";

const textIn = (events: readonly TeamEvent[]): string =>
  events.flatMap((event) => (event.type === "message/chunk" ? [event.delta] : [])).join("");

const storedIn = (client: HostClient, after: number) =>
  client.eventsOf("t").filter((event) => isDurable(event) && event.seq > after);

/** Both clients have opened the team at rest; the second is told a run of the first one's host without asking for it. */
async function runInFirst(one: HostClient, two: HostClient): Promise<{ readonly run: Promise<TaskResult> }> {
  await one.send(TeamOpen, { teamId: "t", definition: talker });
  await two.send(TeamOpen, { teamId: "t" });
  const run = one.send(TeamRun, { teamId: "t", task: "go" });
  // A test that kills the host awaits it later.
  run.catch(() => undefined);
  await two.streamed("t", 50);
  return { run };
}

it("a client of another host sees a run as it happens, and interrupts it", async (context) => {
  await using hosts = await hostsOnLink(context, 2);
  const [one, two] = hosts?.clients ?? [];
  if (one === undefined || two === undefined) return;
  await one.send(TeamOpen, { teamId: "t", definition: talker });
  const run = one.send(TeamRun, { teamId: "t", task: "go" });
  await one.streamed("t", 50);
  // It comes in the middle, and misses nothing of the text.
  const opened = await two.send(TeamOpen, { teamId: "t" });
  assert.equal(opened.status, "running");
  const before = opened.streaming.map(({ text }) => text).join("");
  await two.streamed("t", 50);
  const receipt = await two.send(TeamInterrupt, { teamId: "t" });
  assert.equal(receipt.wasRunning, true);
  assert.deepEqual(hosts?.received, [[], ["t"]]);
  const { status } = await run;
  assert.equal(status.code, "interrupted");

  const seen = two.eventsOf("t");
  const partial = seen.flatMap((event) => (event.type === "message/added" ? [textOf(event.message)] : [])).at(-1);
  assert.equal(before + textIn(seen), partial);
  assert.deepEqual(
    seen.filter(isDurable),
    one.eventsOf("t").filter((event) => isDurable(event) && event.seq > opened.lastSeq),
  );
  assert.equal(seen.at(-1)?.type, "interrupt/completed");
});

it("a client that has opened the team at rest sees the next run of another host from its begin", async (context) => {
  await using hosts = await hostsOnLink(context, 2);
  const [one, two] = hosts?.clients ?? [];
  if (one === undefined || two === undefined) return;
  const { run } = await runInFirst(one, two);
  await one.send(TeamInterrupt, { teamId: "t" });
  await run;
  await two.event("t", ({ type }) => type === "interrupt/completed");
  const own = one.eventsOf("t").filter(isDurable);
  assert.deepEqual(two.eventsOf("t").filter(isDurable), own);
  const [partial] = own.flatMap((event) => (event.type === "interrupt/completed" ? (event.partials ?? []) : []));
  assert.equal(textIn(two.eventsOf("t")), partial === undefined ? "" : textOf(partial));
  // Then the team runs in either host.
  const answer = two.send(TeamSendUserMessage, { teamId: "t", to: "bob", messages: "And you?" });
  await one.event("t", (event) => event.type === "message/added" && event.message.source === "bob");
  assert.equal((await answer).messages.at(-1)?.source, "bob");
});

it("a message to one participant is delivered in the run of another host, in its user's name", async (context) => {
  await using hosts = await hostsOnLink(context, 2);
  const [one, two] = hosts?.clients ?? [];
  if (one === undefined || two === undefined) return;
  const { run } = await runInFirst(one, two);
  const answer = await two.send(TeamSendUserMessage, { teamId: "t", to: "bob", messages: "And you?" });
  assert.equal(answer.messages.at(-1)?.source, "bob");
  await run;
  // What was done is told before the answer, and says who did it.
  assert.ok(two.eventsOf("t").some((event) => "by" in event && event.by === "user1"));
  assert.deepEqual(two.eventsOf("t").filter(isDurable), one.eventsOf("t").filter(isDurable));
});

it("a host that is killed in a run is seen to end where it was followed, with all that it told", async (context) => {
  await using hosts = await hostsOnLink(context, 2, { lease: 2 });
  const [one, two] = hosts?.clients ?? [];
  if (one === undefined || two === undefined) return;
  const { run } = await runInFirst(one, two);
  await one.kill();
  await run.catch(() => undefined);
  await two.event("t", ({ type }) => type === "run/ended");
  const events = two.eventsOf("t");
  const { thread } = await two.send(TeamInspect, { teamId: "t" });
  const told = textIn(events);
  assert.ok(told.length >= 50);
  // What was said to follow on the text is what the thread keeps.
  assert.equal(textOf(thread.at(-1) ?? { content: "" }), told);
  const stored = (await two.send(TeamEvents, { teamId: "t" })).events.filter(isDurable);
  assert.deepEqual(events.filter(isDurable), stored);
});

it("a host shows another one nothing of a run that it cannot store", async (context) => {
  await using hosts = await hostsOnLink(context, 2, { lease: 6 });
  const [one, two] = hosts?.clients ?? [];
  if (one === undefined || two === undefined) return;
  await one.send(TeamOpen, { teamId: "t", definition: talker });
  void one.send(TeamRun, { teamId: "t", task: "go" }).catch(() => undefined);
  await one.streamed("t", 50);
  hosts?.firstToStore.silence();
  // It is asked while what it says is being stored, which fails.
  const { streaming } = await two.send(TeamOpen, { teamId: "t" });
  await two.event("t", ({ type }) => type === "run/ended");
  const { thread } = await two.send(TeamInspect, { teamId: "t" });
  const shown = streaming.map(({ text }) => text).join("") + textIn(two.eventsOf("t"));
  assert.ok(shown.length >= 50);
  assert.equal(textOf(thread.at(-1) ?? { content: "" }).slice(0, shown.length), shown);
});

it("without the link the hosts go on as they do without one, and reach each other when it is there again", async (context) => {
  await using hosts = await hostsOnLink(context, 2, { silence: 1 });
  const [one, two] = hosts?.clients ?? [];
  if (hosts === undefined || one === undefined || two === undefined) return;
  await one.send(TeamOpen, { teamId: "t", definition: talker });
  void one.send(TeamRun, { teamId: "t", task: "go" }).catch(() => undefined);
  const opened = await two.send(TeamOpen, { teamId: "t" });
  const before = opened.streaming.map(({ text }) => text).join("");
  await two.streamed("t", 50);
  await hosts.nats.crash();
  const refused = await until("the other host is not reached", async () => {
    const { data } = await refusal(two.send(TeamRun, { teamId: "t", task: "go" }));
    return data.code === "TeamBusy" || undefined;
  });
  assert.equal(refused, true);
  const { lastSeq } = await two.send(TeamInspect, { teamId: "t" });
  await hosts.nats.restart();
  // The run is reached again.
  const receipt = await until("the other host is reached", () => two.send(TeamInterrupt, { teamId: "t" }));
  assert.ok(lastSeq > 0);
  assert.equal(receipt.wasRunning, true);
  const [message] = one
    .eventsOf("t")
    .flatMap((event) => (event.type === "interrupt/completed" ? (event.partials ?? []) : []));
  const whole = message === undefined ? "" : textOf(message);
  // The end of the text came with the message.
  assert.ok(whole.length >= 50 && whole.startsWith(before + textIn(two.eventsOf("t"))));
  assert.deepEqual(storedIn(two, opened.lastSeq), storedIn(one, opened.lastSeq));
});

it("only who knows a host's key, which the store has, is answered", async (context) => {
  await using hosts = await hostsOnLink(context, 1);
  const [one] = hosts?.clients ?? [];
  if (hosts === undefined || one === undefined) return;
  await one.send(TeamOpen, { teamId: "t", definition: talker });
  void one.send(TeamRun, { teamId: "t", task: "go" }).catch(() => undefined);
  await one.streamed("t", 20);
  const [host] = await query(hosts.store, "SELECT id, key FROM gavel.hosts");
  const { id, key } = host as { readonly id: string; readonly key: string };
  const said: string[] = [];
  const nats = await connectNats(linkAddress(hosts.link));
  context.after(() => nats.close());
  nats.subscribe("gavel.nodes.>", ({ data }) => said.push(Buffer.from(data).toString("latin1")));
  const channels = new Channels(nats, { space: "gavel" }, () => {});
  context.after(() => channels.close());
  const node = Buffer.from((await nats.request(`gavel.hosts.at.${id}`, new Uint8Array(), 5_000)) ?? []).toString();
  assert.equal(await secureOpened(channels.open(node), Buffer.alloc(32)), undefined);
  const stream = await secureOpened(channels.open(node), Buffer.from(key, "hex"));
  assert.ok(stream);
  const joined = await askOver(stream, HostJoin, { protocolVersion: PROTOCOL_VERSION });
  assert.equal(joined?.protocolVersion, PROTOCOL_VERSION);
  // Others on the link cannot read it.
  assert.ok(said.length > 0);
  assert.ok(!said.some((text) => text.includes("protocolVersion") || text.includes(key)));
  stream.destroy();
});

it("a team whose folder is not on the computer is read there, and runs where it is", async (context) => {
  await using hosts = await hostsOnLink(context, 2, { lease: 6 });
  const [one, two] = hosts?.clients ?? [];
  if (one === undefined || two === undefined) return;
  using scratch = new Scratch();
  const folder = join(scratch.path, "work");
  mkdirSync(folder);
  const uri = pathToFileURL(join(folder, "talk.gavel.json")).href;
  await one.send(TeamOpen, { teamId: "t", uri, definition: talker });
  await two.send(TeamOpen, { teamId: "t" });
  const run = one.send(TeamRun, { teamId: "t", task: "go" }).catch(() => undefined);
  await two.streamed("t", 50);
  // From now on it is as on a computer that has never had it.
  rmSync(folder, { recursive: true });
  await one.kill();
  await run;
  await two.event("t", ({ type }) => type === "run/ended");
  const { status, thread } = await two.send(TeamInspect, { teamId: "t" });
  assert.equal(status, "paused");
  assert.match(textOf(thread.at(-1) ?? { content: "" }), /^word word /);
  const refused = await refusal(two.send(TeamRun, { teamId: "t" }));
  assert.equal(refused.data.code, "NotAuthorized");
  assert.match(refused.message, /works in .*work, which is not on this computer; read it here/);
  mkdirSync(folder);
  const answer = await two.send(TeamSendUserMessage, { teamId: "t", to: "bob", messages: "And you?" });
  assert.equal(answer.messages.at(-1)?.source, "bob");
});
