import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { DocumentsRead } from "../../shared/contract/client-requests.ts";
import {
  TeamDelete,
  TeamInterrupt,
  TeamOpen,
  TeamPreviewTool,
  TeamRun,
  TeamSendUserMessage,
} from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { FakeEndpoint } from "./harness/endpoint.ts";
import { beginLongRun } from "./harness/long-run.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

/** Sends two messages that wait, one in each way, and resolves when both wait. */
async function waitingMessages(host: HostClient) {
  const sent = (["queue", "steer"] as const).map((delivery) =>
    host.send(TeamSendUserMessage, { teamId: "t", to: "bob", messages: "Be brief.", delivery }),
  );
  for (const delivery of ["queue", "steer"])
    await host.event("t", (event) => event.type === "userMessage/queued" && event.delivery === delivery);
  return sent;
}

const never = new Promise<never>(() => {});

/** A host with a pending call, of which a preview is requested that the client never makes possible. */
async function hangingPreview(scratch: Scratch) {
  writeFileSync(join(scratch.path, "a.txt"), "one\n");
  const host = await HostClient.start({ folders: [pathToFileURL(scratch.path).href] });
  host.connection.onRequest(DocumentsRead.method, () => null);
  const input = { path: "a.txt", old: "one", new: "two" };
  const definition = roundRobin({
    names: ["ann"],
    model: { provider: "practice", pace: 0, lines: { ann: [{ calls: [{ tool: "editFile", input }] }] } },
    maxTurns: 1,
    participants: { tools: ["editFile"] },
  });
  await host.send(TeamOpen, { teamId: "t", definition });
  await host.send(TeamRun, { teamId: "t", task: "go" });
  const [call] = (await host.send(TeamOpen, { teamId: "t" })).pendingTools;
  assert.ok(call);
  const asked = Promise.withResolvers<void>();
  host.connection.onRequest(DocumentsRead.method, () => {
    asked.resolve();
    return never;
  });
  const refused = refusal(host.send(TeamPreviewTool, { teamId: "t", ref: call.ref }));
  await asked.promise;
  return { host, definition, refused };
}

describe("every request is answered", () => {
  it("before the answer to shutdown: runs and waiting messages with what became of them", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const { run } = await beginLongRun(host, endpoint);
    const order: string[] = [];
    const note = (name: string) => (answer: { readonly stopReason: string | null }) =>
      void order.push(`${name} ${answer.stopReason}`);
    const [queued, steered] = await waitingMessages(host);
    void run.then(note("run"));
    void queued?.then(note("queue"));
    void steered?.then(note("steer"));

    await host.connection.sendRequest("shutdown");

    assert.deepEqual(order.sort(), ["queue USER_INTERRUPT", "run USER_INTERRUPT", "steer USER_INTERRUPT"]);
  });

  it("before the answer to shutdown, also where the client owes the host an answer", async () => {
    using scratch = new Scratch();
    const { host, refused } = await hangingPreview(scratch);
    await using _ = host;

    await host.connection.sendRequest("shutdown");

    const { message, data } = await refused;
    assert.deepEqual(
      [data.code, message],
      ["RequestCancelled", "team/previewTool was cancelled: the host is shutting down."],
    );
  });

  it("when its team is deleted", async () => {
    using scratch = new Scratch();
    const { host, refused } = await hangingPreview(scratch);
    await using _ = host;
    await host.send(TeamDelete, { teamId: "t" });
    assert.equal((await refused).data.code, "UnknownTeam");
  });

  it("when its team gets another definition", async () => {
    using scratch = new Scratch();
    const { host, definition, refused } = await hangingPreview(scratch);
    await using _ = host;
    await host.send(TeamOpen, { teamId: "t", definition: { ...definition, description: "Changed" } });
    assert.deepEqual((await refused).message, "team/previewTool was cancelled: the team has another definition now.");
  });

  it("when its team is deleted, or gets another definition, after an interrupt", async () => {
    await using endpoint = await FakeEndpoint.start();
    await using host = await HostClient.start();
    const { run, definition } = await beginLongRun(host, endpoint);
    const sent = await waitingMessages(host);
    await host.send(TeamInterrupt, { teamId: "t" });
    const { queued } = await host.send(TeamOpen, {
      teamId: "t",
      definition: { ...definition, description: "Changed" },
    });
    assert.deepEqual(
      (await Promise.all(sent)).map(({ waiting }) => waiting),
      queued.map(({ id }) => id),
    );
    await host.send(TeamDelete, { teamId: "t" });
    assert.equal((await run).stopReason, "USER_INTERRUPT");
  });
});
