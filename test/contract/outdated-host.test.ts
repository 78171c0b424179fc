import assert from "node:assert/strict";
import { it } from "node:test";
import { joinCurrent } from "../../client/host/join-current.ts";
import { TeamInterrupt, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { joinHost } from "../../socket/join-host.ts";
import { HeldEndpoint } from "./harness/held-endpoint.ts";
import { Scratch } from "./harness/scratch.ts";
import { ServedHost } from "./harness/served-host.ts";
import { openai, roundRobin } from "./harness/teams.ts";

const NEWER = "99.0.0";

it("a host that keeps running is replaced after an update of the extension, unless a team runs in it", async () => {
  using scratch = new Scratch();
  await using endpoint = await HeldEndpoint.start("I am |ann.");
  await using host = await ServedHost.start({ storagePath: scratch.path });
  const client = await host.join();
  const running = client.event("t", (event) => event.type === "message/chunk");
  await client.send(TeamOpen, { teamId: "t", definition: roundRobin({ model: openai(endpoint.baseUrl) }) });
  void client.send(TeamRun, { teamId: "t", task: "go" }).catch(() => undefined);
  await running;
  const busy = await joinCurrent(scratch.path, NEWER);
  assert.equal(busy?.isBusy, true);
  await client.send(TeamInterrupt, { teamId: "t" });
  const same = await joinCurrent(scratch.path, busy.gavelVersion);
  assert.equal(same?.isBusy, false);
  assert.equal(client.isGone, false);
  assert.equal(await joinCurrent(scratch.path, NEWER), undefined);
  assert.equal(await joinHost(scratch.path), undefined);
  await client.closed();
  for (const one of [busy, same]) one.stream.destroy();
});
