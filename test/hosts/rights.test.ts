import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { Channels, linkAddress, secureOpened } from "../../server/link/index.ts";
import { connectNats } from "../../server/link/nats-link.ts";
import { HostJoin } from "../../shared/contract/joining.ts";
import {
  TeamInterrupt,
  TeamOpen,
  TeamRun,
  TeamSendUserMessage,
  TeamSetModel,
  TeamSetRole,
} from "../../shared/contract/requests.ts";
import { PROTOCOL_VERSION } from "../../shared/contract/version.ts";
import { askOver } from "../../socket/ask-host.ts";
import { refusal } from "../host-client.ts";
import { query } from "../servers/postgres.ts";
import { hostsOnLink, type LinkedHosts, talker } from "./hosts-on-link.ts";

/** What is refused, by the code of the error and what it says. */
async function assertRefused(request: Promise<unknown>, says: RegExp): Promise<void> {
  const { data, message } = await refusal(request);
  assert.deepEqual([data.code, says.test(message)], ["NotAuthorized", true], message);
}

/** A connection to the only host, as another host has one that knows the store's keys. */
async function asHost(context: TestContext, { store, link }: LinkedHosts) {
  const [host] = await query(store, "SELECT id, key FROM gavel.hosts");
  const { id, key } = host as { readonly id: string; readonly key: string };
  const nats = await connectNats(linkAddress(link));
  context.after(() => nats.close());
  const channels = new Channels(nats, { space: "gavel" }, () => {});
  context.after(() => channels.close());
  const node = Buffer.from((await nats.request(`gavel.hosts.at.${id}`, new Uint8Array(), 5_000)) ?? []).toString();
  const stream = await secureOpened(channels.open(node), Buffer.from(key, "hex"));
  assert.ok(stream);
  assert.ok(await askOver(stream, HostJoin, { protocolVersion: PROTOCOL_VERSION }));
  const connection = createMessageConnection(new StreamMessageReader(stream), new StreamMessageWriter(stream));
  connection.listen();
  context.after(() => connection.dispose());
  const initializationOptions = { user: { id: "eve", name: "Eve" } };
  await connection.sendRequest("initialize", {
    processId: null,
    rootUri: null,
    capabilities: {},
    initializationOptions,
  });
  return connection;
}

it("what a client asks the host of another computer for names nothing there, and keeps to its user's role", async (context) => {
  await using hosts = await hostsOnLink(context, 2);
  const [one, two] = hosts?.clients ?? [];
  if (one === undefined || two === undefined) return;
  await one.send(TeamOpen, { teamId: "t", definition: talker });
  await two.send(TeamOpen, { teamId: "t" });
  const run = one.send(TeamRun, { teamId: "t", task: "go" });
  run.catch(() => undefined);
  await two.streamed("t", 50);
  const elsewhere = /^This can only be done on the computer of the agent host/;
  const model = { provider: "openai", model: "m", baseUrl: "http://192.0.2.1/v1" } as const;
  await assertRefused(two.send(TeamSetModel, { teamId: "t", model }), elsewhere);
  const image = { type: "image", uri: "file:///etc/passwd" } as const;
  const messages = "What is this?";
  await assertRefused(two.send(TeamSendUserMessage, { teamId: "t", to: "bob", messages, context: [image] }), elsewhere);
  // Its user acts, and so is a user of the team.
  const queued = two.send(TeamSendUserMessage, { teamId: "t", to: "bob", messages: "Hello.", delivery: "queue" });
  queued.catch(() => undefined);
  await one.event("t", ({ type }) => type === "userMessage/queued");
  await one.send(TeamSetRole, { teamId: "t", user: "user1", role: "observer" });
  await assertRefused(two.send(TeamInterrupt, { teamId: "t" }), /^You observe this team and may not interrupt it/);
  await one.send(TeamInterrupt, { teamId: "t" });
});

it("a host can do here what users of other computers can, and end nothing", async (context) => {
  await using hosts = await hostsOnLink(context, 1);
  const [one] = hosts?.clients ?? [];
  if (hosts === undefined || one === undefined) return;
  await one.send(TeamOpen, { teamId: "t", definition: talker });
  const run = one.send(TeamRun, { teamId: "t", task: "go" });
  run.catch(() => undefined);
  await one.streamed("t", 20);
  const other = await asHost(context, hosts);
  const asked = {
    "approvals/add": { rule: { decision: "allow", tool: "runCommand", command: "ls", scope: "workspace" } },
    "team/open": { teamId: "u", definition: talker },
    "team/delete": { teamId: "t" },
    "team/setRole": { teamId: "t", user: "eve", role: "chair" },
  };
  for (const [method, params] of Object.entries(asked))
    await assertRefused(other.sendRequest(method, params), /computer of the agent host|chair/);
  await assert.rejects(other.sendRequest("host/stop", {}));
  assert.equal((await one.send(TeamInterrupt, { teamId: "t" })).wasRunning, true);
});

it("the chair of a user who is connected to another host is not taken", async (context) => {
  await using hosts = await hostsOnLink(context, 2);
  const [one, two] = hosts?.clients ?? [];
  if (one === undefined || two === undefined) return;
  await one.send(TeamOpen, { teamId: "t", definition: talker });
  // Both have acted in it.
  await one.send(TeamSendUserMessage, { teamId: "t", to: "bob", messages: "Hello." });
  await two.send(TeamOpen, { teamId: "t" });
  await two.send(TeamSendUserMessage, { teamId: "t", to: "bob", messages: "Hello." });
  const take = () => two.send(TeamSetRole, { teamId: "t", user: "user1", role: "chair" });
  await assertRefused(take(), /has the chair and is connected; ask .* to hand it over\./);
  assert.equal(await one.shutdown(), 0);
  assert.equal((await take()).chair, "user1");
});
