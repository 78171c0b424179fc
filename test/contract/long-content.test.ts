import assert from "node:assert/strict";
import { it } from "node:test";
import type { DurableEvent } from "../../shared/contract/event.ts";
import { isDurable } from "../../shared/contract/event.ts";
import { TeamEvents, TeamInspectState, TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { HostClient } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

/** How many messages of ten million characters the user sends. Sixty are more than one JSON text can hold. */
const LONG_MESSAGES = Number(process.env["LONG_MESSAGES"] ?? 5);
const LONG = "word ".repeat(2_000_000);

it(`a team with ${LONG_MESSAGES} messages of ten million characters is shown, goes on, and has all of them in its events`, async () => {
  using scratch = new Scratch();
  const options = { storagePath: scratch.path };
  const definition = roundRobin({
    names: ["ann"],
    maxTurns: 1,
    participants: { context: { kind: "buffered", size: 2 } },
  });
  await using first = await HostClient.start(options);
  await first.send(TeamOpen, { teamId: "t", definition });
  for (let nth = 0; nth < LONG_MESSAGES; nth++) {
    const { status } = await first.send(TeamRun, { teamId: "t", task: `${nth} ${LONG}` });
    assert.equal(status.code, "success");
  }
  await first.shutdown();

  await using second = await HostClient.start(options);
  const { thread, threadLength } = await second.send(TeamOpen, { teamId: "t" });
  assert.equal(threadLength, 2 * LONG_MESSAGES);
  assert.equal(thread.length, 7);
  assert.ok(thread.at(-2)?.content === `${LONG_MESSAGES - 1} ${LONG}`);

  const events: DurableEvent[] = [];
  for (let last = 0, end = 1; last < end; ) {
    const page = await second.send(TeamEvents, { teamId: "t", after: last });
    events.push(...page.events.filter(isDurable));
    assert.ok(page.events.length > 0);
    last = events.at(-1)?.seq ?? 0;
    end = page.lastSeq;
  }
  const tasks = events.flatMap((event) => (event.type === "run/started" ? [String(event.task)] : []));
  assert.deepEqual(
    tasks.map((task) => [task.split(" ")[0], task.length]),
    Array.from({ length: LONG_MESSAGES }, (_, nth) => [String(nth), LONG.length + String(nth).length + 1]),
  );
  const { messages } = await second.send(TeamRun, { teamId: "t", task: "And now?" });
  assert.equal(messages.length, 2);
  assert.equal((await second.send(TeamInspectState, { teamId: "t" })).speakers[0]?.participant, "ann");
});
