import assert from "node:assert/strict";
import { test } from "node:test";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { initialTeamState } from "../../../shared/state/team-state.ts";
import { MemoryJournal } from "../testing/memory-journal.ts";
import { names, testTeam } from "../testing/test-team.ts";
import { RootLedger } from "./ledger.ts";

const definition = { name: "Test", kind: "roundRobin" as const, participants: [{ name: "ann" }] };

function testLedger() {
  const journal = new MemoryJournal();
  return { journal, ledger: new RootLedger(initialTeamState("t", definition), journal) };
}

const started = (messageId: string) => ({ type: "message/started" as const, messageId, source: "ann" });
const idOf = (event: TeamEvent): string => ("messageId" in event ? event.messageId : event.type);

test("events are numbered from 1 without gaps; chunks have no number", () => {
  const { ledger, journal } = testLedger();

  ledger.record(started("m1"));
  ledger.record({ type: "message/chunk", messageId: "m1", source: "ann", delta: "a" });
  ledger.record(started("m2"));

  assert.deepEqual(
    journal.kept.map((event) => ("seq" in event ? event.seq : null)),
    [1, null, 2],
  );
  assert.equal(ledger.state.lastSeq, 2);
  assert.equal(ledger.state.streaming[0]?.text, "a");
});

test("listeners are notified of an event after it is stored and applied to the state", () => {
  const { ledger, journal } = testLedger();
  const seen: number[][] = [];
  ledger.onEvent(() => seen.push([journal.kept.length, ledger.state.lastSeq]));

  ledger.record(started("m1"));
  ledger.record(started("m2"));

  assert.deepEqual(seen, [
    [1, 1],
    [2, 2],
  ]);
});

test("every listener sees the events in order, also when a listener causes the next event", () => {
  const { ledger } = testLedger();
  const first: string[] = [];
  const second: string[] = [];
  ledger.onEvent((event) => {
    first.push(idOf(event));
    if (idOf(event) === "m1") ledger.record(started("m2"));
  });
  ledger.onEvent((event) => second.push(idOf(event)));

  ledger.record(started("m1"));
  ledger.record(started("m3"));

  assert.deepEqual(first, ["m1", "m2", "m3"]);
  assert.deepEqual(second, ["m1", "m2", "m3"]);
});

test("listeners see the events in order, also when a listener interrupts", async () => {
  const { team, next, events } = testTeam({ speakers: names("ann", "bob") });
  team.onEvent(({ type }) => {
    if (type === "reasoning/conclusion") team.interrupt().catch(assert.fail);
  });
  const late: TeamEvent[] = [];
  team.onEvent((event) => late.push(event));

  const completed = next("interrupt/completed");
  await team.run("t");
  await completed;

  assert.deepEqual(late, events);
  assert.deepEqual(
    late.map((event) => ("seq" in event ? event.seq : 0)),
    late.map((_, at) => at + 1),
  );
});

test("a listener that throws stops neither the run nor the other listeners, for example a client that disconnects in mid-stream", async () => {
  const { team, events, folded, journal } = testTeam({ speakers: names("ann", "bob"), maxTurns: 2 });
  team.onEvent(() => {
    throw new Error("the client is gone");
  });
  const others: TeamEvent[] = [];
  team.onEvent((event) => others.push(event));

  assert.equal((await team.run("t")).status.code, "success");

  assert.deepEqual(others, events);
  assert.deepEqual([team.isRunning, team.state], [false, folded()]);
  assert.deepEqual(
    journal.events.map(({ seq }) => seq),
    events.map((_, at) => at + 1),
  );
});

test("a removed listener is not called again, whatever the team does", async () => {
  const { team } = testTeam({ speakers: names("ann"), maxTurns: 1 });
  const seen: TeamEvent[] = [];
  const unlisten = team.onEvent((event) => {
    seen.push(event);
    unlisten();
  });

  assert.equal((await team.run("t")).status.code, "success");

  assert.equal(seen.length, 1);
});

test("an event that cannot be stored at present has happened, and is stored in its order later; what needs it waits", async () => {
  const { ledger, journal } = testLedger();
  journal.fails = ({ type }) => type === "message/started";
  ledger.record(started("m1"));
  journal.fails = () => false;
  ledger.record(started("m2"));
  assert.deepEqual([ledger.state.lastSeq, journal.kept], [2, []]);

  const durable = ledger.durable();
  journal.retry();
  await durable;
  assert.deepEqual(
    journal.events.map(({ seq }) => seq),
    [1, 2],
  );
  assert.equal(ledger.durable(), undefined);
});
