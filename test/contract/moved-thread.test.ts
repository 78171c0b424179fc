import assert from "node:assert/strict";
import { it } from "node:test";
import { Thread, type ThreadHost } from "../../cli/run/thread.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { textOf } from "../../shared/contract/message-text.ts";
import { TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { HostClient } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";

const team = {
  name: "Two",
  kind: "roundRobin",
  participants: [{ name: "ann" }, { name: "bob" }],
  models: { default: { provider: "practice", pace: 0, lines: { ann: ["Hello."], bob: ["Good."] } } },
  maxTurns: 2,
} as const;

/** A host as the command line knows it. */
const asJoined = (client: HostClient): ThreadHost => ({
  isJoined: true,
  user: "user",
  died: new Promise<never>(() => {}),
  request: (message, params) => client.send(message, params),
  onEvent: () => () => {},
  onNotification: () => () => {},
});

it("a thread that goes on in another host shows what was said before that, also where it knew nothing of the run", async () => {
  using scratch = new Scratch();
  const shown: TeamEvent[] = [];
  let reopened = 0;
  await using first = await HostClient.start({ storagePath: scratch.path });
  using thread = new Thread(asJoined(first), await first.send(TeamOpen, { teamId: "t", definition: team }), {
    event: (event) => void shown.push(event),
    reopened: () => void reopened++,
  });
  // Its run is told to no one here, and then its host has gone.
  await first.send(TeamRun, { teamId: "t", task: "Go." });
  await first.kill();
  assert.equal(shown.length, 0);
  await using next = await HostClient.start({ storagePath: scratch.path });
  await thread.moveTo(asJoined(next));
  const said = shown.flatMap((event) => (event.type === "message/added" ? [textOf(event.message)] : []));
  assert.deepEqual(said, ["Go.", "Hello.", "Good."]);
  assert.deepEqual([thread.state.status, thread.lastRun?.code, reopened], ["idle", "success", 1]);
});
