import assert from "node:assert/strict";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { connect as connectPlainly } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, it } from "node:test";
import { connect as connectSafely } from "node:tls";
import type { ServeOptions } from "../../shared/contract/joining.ts";
import type { RequestMessage } from "../../shared/contract/message-type.ts";
import {
  ApprovalsAdd,
  TeamFork,
  TeamInspect,
  TeamInterrupt,
  TeamOpen,
  TeamRun,
  TeamSaveStateFile,
  TeamSendUserMessage,
  TeamSetModel,
  TeamSetRole,
  ToolsRegister,
} from "../../shared/contract/requests.ts";
import { PROTOCOL_VERSION } from "../../shared/contract/version.ts";
import { frameOf } from "../../socket/first-frame.ts";
import { joinRemoteHost } from "../../socket/join-remote-host.ts";
import { serveHost } from "../../socket/serve-host.ts";
import { addUser } from "../../socket/users-file.ts";
import { HostClient, refusal, SERVER } from "../host-client.ts";
import { HeldEndpoint } from "./harness/held-endpoint.ts";
import { AUTHORITY, NetworkHost, TLS } from "./harness/network-host.ts";
import { Scratch } from "./harness/scratch.ts";
import { openai, roundRobin } from "./harness/teams.ts";

const teamId = "t";
const names = ["one", "two"];

/** All that the host sends to somebody who sends this and waits. */
async function heard(stream: ReturnType<typeof connectPlainly>, sent: string): Promise<string> {
  stream.on("error", () => undefined).write(sent);
  return (await buffer(stream).catch(() => Buffer.of())).toString("latin1");
}

describe("users of other computers", () => {
  it("take part in a team of the host's user: each act is theirs, and what a run needs is supplied there", async () => {
    using scratch = new Scratch();
    await using endpoint = await HeldEndpoint.start("I am |one.");
    await using host = await NetworkHost.start(scratch.path);
    const keys: string[] = [];
    const local = await host.local({
      answers: (connection) =>
        void connection.onRequest("credentials/get", ({ secret }: { secret: string }) => {
          keys.push(secret);
          return { value: "sk-1" };
        }),
    });
    const model = { ...openai(endpoint.baseUrl), apiKey: { secret: "lab" } };
    await local.send(TeamOpen, { teamId, definition: roundRobin({ names, model, maxTurns: 1 }) });
    const [ben, eva] = [await host.guest("ben"), await host.guest("eva")];
    for (const guest of [ben, eva]) await guest.send(TeamOpen, { teamId });
    const run = ben.send(TeamRun, { teamId, task: "go" });
    await eva.event(teamId, (event) => event.type === "message/chunk");
    const { partials } = await eva.send(TeamInterrupt, { teamId });
    assert.deepEqual(
      partials.map(({ content }) => content),
      ["I am "],
    );
    assert.equal((await run).stopReason, "USER_INTERRUPT");
    assert.deepEqual(keys, ["lab"]);
    const acts = local.eventsOf(teamId).flatMap((event) => ("by" in event ? [[event.type, event.by]] : []));
    assert.ok(acts.some(([type, by]) => type === "run/started" && by === "ben"));
    assert.ok(acts.some(([type, by]) => type === "interrupt/requested" && by === "eva"));
    const { chair, people } = await local.send(TeamInspect, { teamId });
    assert.deepEqual(
      [chair, people?.map(({ id, role }) => `${id}: ${role}`).sort()],
      ["user", ["ben: member", "eva: member", "user: chair"]],
    );
    // What they may do is the chair's decision.
    await local.send(TeamSetRole, { teamId, user: "ben", role: "observer" });
    assert.equal((await refusal(ben.send(TeamRun, { teamId }))).data.code, "NotAuthorized");
    for (const client of [ben, eva, local]) client.vanish();
  });

  it("do not have the chair unless it is given to them: not as the first, and not while the chair is away", async () => {
    using scratch = new Scratch();
    {
      await using before = await HostClient.start({ storagePath: NetworkHost.storageIn(scratch.path) });
      await before.send(TeamOpen, { teamId, definition: roundRobin({ names, maxTurns: 1 }) });
    }
    await using host = await NetworkHost.start(scratch.path);
    const local = await host.local();
    const guest = await host.guest("ben");
    await guest.send(TeamOpen, { teamId });
    await guest.send(TeamRun, { teamId, task: "go" });
    assert.equal((await guest.send(TeamInspect, { teamId })).chair, "user");
    local.vanish();
    await local.closed();
    const { data } = await refusal(guest.send(TeamSetRole, { teamId, user: "ben", role: "chair" }));
    assert.equal(data.code, "NotAuthorized");
    const back = await host.local();
    await back.send(TeamSetRole, { teamId, user: "ben", role: "chair" });
    assert.equal((await guest.send(TeamInspect, { teamId })).chair, "ben");
    for (const client of [guest, back]) client.vanish();
  });

  it("cannot name what is on the computer of the host: files, programs, endpoints, definitions, tools and rules", async () => {
    using scratch = new Scratch();
    await using host = await NetworkHost.start(scratch.path);
    const local = await host.local();
    const definition = roundRobin({ names });
    await local.send(TeamOpen, { teamId, definition });
    const guest = await host.guest("ben");
    await guest.send(TeamOpen, { teamId });
    const uri = `file://${scratch.path}/stolen`;
    const image = [{ type: "image" as const, uri: "file:///etc/passwd" }];
    const tool = { name: "t", description: "d", inputSchema: {}, approval: "never" as const };
    const asked: readonly (readonly [RequestMessage<never, never>, unknown])[] = [
      [TeamOpen, { definition }],
      [TeamOpen, { uri: "file:///etc/passwd" }],
      [TeamOpen, { teamId, definition }],
      [TeamSaveStateFile, { teamId, uri }],
      [TeamFork, { teamId }],
      [TeamRun, { teamId, task: image }],
      [TeamSendUserMessage, { teamId, to: "one", messages: "Look.", context: image }],
      [TeamSetModel, { teamId, model: openai("http://127.0.0.1:1") }],
      [ToolsRegister, { tools: [tool] }],
      [ApprovalsAdd, { rule: { effect: "allow", scope: "always", tool: "*" } }],
    ] as never;
    for (const [{ method }, params] of asked) {
      const { data, message } = await refusal(guest.connection.sendRequest(method, params));
      assert.deepEqual([method, data.code], [method, "NotAuthorized"], message);
    }
    const all = JSON.stringify(await refusal(guest.connection.sendRequest("team/unknown", {})));
    assert.doesNotMatch(all, new RegExp(scratch.path));
    const { threadLength } = await guest.send(TeamInspect, { teamId });
    assert.equal(threadLength, 0);
    for (const client of [guest, local]) client.vanish();
  });

  it("are told nothing without a token that the host knows, and nothing that is not encrypted", async () => {
    using scratch = new Scratch();
    await using host = await NetworkHost.start(scratch.path);
    const address = { host: "127.0.0.1", port: host.port };
    const wrong = { token: "t".repeat(43), protocolVersion: PROTOCOL_VERSION };
    const asked = frameOf({ id: 1, method: "host/join", params: wrong });
    assert.doesNotMatch(await heard(connectPlainly(address), asked), /jsonrpc|gavel/i);
    const safely = connectSafely({ ...address, ca: readFileSync(AUTHORITY) });
    assert.equal(await heard(safely, asked), "");
    const certificate = readFileSync(AUTHORITY, "utf8");
    await assert.rejects(
      joinRemoteHost({ ...address, token: wrong.token, certificate }),
      /^HostRefusedError: The agent host on 127\.0\.0\.1, port \d+ does not know your token; ask its user for another one\.$/,
    );
    await assert.rejects(
      joinRemoteHost({ ...address, token: wrong.token }),
      /cannot be joined: its certificate is not trusted \([A-Z_]+\); give the certificate/,
    );
  });

  it("wait until the user of the host has joined", async () => {
    using scratch = new Scratch();
    await using host = await NetworkHost.start(scratch.path);
    await assert.rejects(
      host.guest("ben"),
      /The user of this agent host has not joined it yet; try again when they have\./,
    );
  });

  it("cannot join where the certificate, or the file of users, is not safe: the host says why and does not start", async () => {
    using scratch = new Scratch();
    const users = join(scratch.path, "users.json");
    const start = (network: Partial<NonNullable<ServeOptions["network"]>>): Promise<unknown> => {
      const options = {
        storagePath: join(scratch.path, "store"),
        network: { host: "127.0.0.1", port: 0, users, ...TLS, ...network },
      };
      return serveHost({ serverModule: SERVER, options, env: process.env });
    };
    await assert.rejects(start({}), /users\.json, which says who may join, cannot be read; add a user to make it\./);
    addUser(users, { id: "ben", name: "Ben" });
    await assert.rejects(start({ key: users }), /cannot be used: .*; give both as PEM files\./);
    if (process.platform !== "win32") {
      chmodSync(users, 0o622);
      await assert.rejects(start({}), /Others can change .*users\.json/);
      chmodSync(users, 0o600);
    }
    writeFileSync(users, JSON.stringify({ users: [{ id: "user", name: "me", tokenHash: "0".repeat(64) }] }));
    await assert.rejects(start({}), /No user in .*users\.json can have the id "user"/);
  });
});
