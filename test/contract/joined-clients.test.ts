import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { TeamEventNotification } from "../../shared/contract/client-requests.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { TeamInterrupt, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { joinHost } from "../../socket/join-host.ts";
import { HostClient } from "../host-client.ts";
import { HeldEndpoint } from "./harness/held-endpoint.ts";
import { Scratch } from "./harness/scratch.ts";
import { openai, roundRobin } from "./harness/teams.ts";

const EVE = { id: "eve", name: "Eve" };

/** A client that has joined a running host, and the events that it was told. */
async function joined(
  storagePath: string,
  user: string,
  answers: (client: MessageConnection) => void = () => undefined,
): Promise<{ client: MessageConnection; told: TeamEvent[] }> {
  const host = await joinHost(storagePath);
  assert.ok(host !== undefined);
  const client = createMessageConnection(new StreamMessageReader(host.stream), new StreamMessageWriter(host.stream));
  const told: TeamEvent[] = [];
  client.onNotification(TeamEventNotification.method, ({ event }: { event: TeamEvent }) => void told.push(event));
  client.onUnhandledNotification(() => undefined);
  answers(client);
  client.listen();
  const initializationOptions = { storagePath, user: { id: user, name: user } };
  await client.sendRequest("initialize", { processId: null, capabilities: {}, initializationOptions });
  await client.sendNotification("initialized", {});
  return { client, told };
}

/** A client that supplies a key, which leaves while the first of two speaks; resolves with how its run ends. */
async function leavingAfterKey(answer: { readonly value: string; readonly lend?: boolean }) {
  using scratch = new Scratch();
  await using endpoint = await HeldEndpoint.start("I am |ann.", "I am bob.");
  await using host = await HostClient.start({ storagePath: scratch.path, share: true, user: EVE });
  const model = { ...openai(endpoint.baseUrl), apiKey: { secret: "lab" } };
  await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ model, maxTurns: 2 }) });
  const { client } = await joined(scratch.path, "eve", (asked) => asked.onRequest("credentials/get", () => answer));
  await client.sendRequest(TeamOpen.method, { teamId: "t" });
  void client.sendRequest(TeamRun.method, { teamId: "t", task: "go" }).catch(() => undefined);
  await host.event("t", (event) => event.type === "message/chunk");
  const left = Promise.withResolvers<void>();
  client.onClose(() => left.resolve());
  await client.sendNotification("exit");
  await left.promise;
  endpoint.goOn();
  await host.event("t", (event) => event.type === "run/ended");
  return host.eventsOf("t");
}

describe("clients that join a running host", () => {
  it("take their keys with them: a run that needs one is paused, and says which", async () => {
    const events = await leavingAfterKey({ value: "sk-1" });
    const asked = events.find((event) => event.type === "interrupt/requested");
    assert.equal(
      asked?.reason,
      'It needs the key "lab", which went with a client of eve; continue from another client',
    );
    const said = events.flatMap((event) => (event.type === "message/added" ? [event.message.content] : []));
    assert.deepEqual(said, ["go", "I am ann."]);
  });

  it("leave the keys that they have lent, to the runs that they have started", async () => {
    const events = await leavingAfterKey({ value: "sk-1", lend: true });
    const said = events.flatMap((event) => (event.type === "message/added" ? [event.message.content] : []));
    assert.deepEqual(said, ["go", "I am ann.", "I am bob."]);
    assert.ok(!JSON.stringify(events).includes("sk-1"));
  });

  it("are told what another runs, interrupt it, and leave it running", async () => {
    using scratch = new Scratch();
    await using endpoint = await HeldEndpoint.start("I am |ann.", "I am bob.");
    await using host = await HostClient.start({ storagePath: scratch.path, share: true, user: EVE });
    await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ model: openai(endpoint.baseUrl) }) });
    const [first, second] = [await joined(scratch.path, "eve"), await joined(scratch.path, "eve")];
    for (const { client } of [first, second]) await client.sendRequest(TeamOpen.method, { teamId: "t" });
    const speaking = host.event("t", (event) => event.type === "message/chunk");
    const run = host.send(TeamRun, { teamId: "t", task: "go" });
    await speaking;
    // One goes in the middle of the stream, as an editor does.
    await first.client.sendRequest("shutdown");
    await first.client.sendNotification("exit");
    const receipt = await second.client.sendRequest<{ partials: { content: string }[] }>(TeamInterrupt.method, {
      teamId: "t",
    });
    assert.equal(receipt.partials[0]?.content, "I am ");
    assert.equal((await run).stopReason, "USER_INTERRUPT");
    const numbers = (events: readonly TeamEvent[]): number[] =>
      events.flatMap((one) => ("seq" in one ? [one.seq] : []));
    await host.event("t", (event) => event.type === "interrupt/completed");
    await second.client.sendRequest("team/inspect", { teamId: "t" });
    assert.deepEqual(numbers(second.told), numbers(host.eventsOf("t")));
    second.client.end();
  });

  it("are hung up on when the process that started the host has gone, and another host takes their place", async () => {
    using scratch = new Scratch();
    const host = await HostClient.start({ storagePath: scratch.path, share: true });
    const { client } = await joined(scratch.path, "eve");
    const closed = new Promise<void>((resolve) => client.onClose(resolve));
    await host.kill();
    await closed;
    assert.equal(await joinHost(scratch.path), undefined);
    await using next = await HostClient.start({ storagePath: scratch.path, share: true });
    assert.ok(next);
    (await joined(scratch.path, "eve")).client.end();
  });

  it("are refused with one sentence if they expect the teams of another folder", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start({ storagePath: scratch.path, share: true });
    assert.ok(host);
    const { stream } = (await joinHost(scratch.path)) ?? assert.fail();
    const client = createMessageConnection(new StreamMessageReader(stream), new StreamMessageWriter(stream));
    client.listen();
    const initializationOptions = { storagePath: "/elsewhere" };
    await assert.rejects(
      client.sendRequest("initialize", { processId: null, capabilities: {}, initializationOptions }),
      /^Error: This host has the teams of another storage folder; start one for yours, or leave out storagePath\.$/,
    );
    client.end();
  });
});
