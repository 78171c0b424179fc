import assert from "node:assert/strict";
import { test } from "node:test";
import type { Capability, Monitor } from "../../../shared/contract/definition.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { ReasoningAck } from "../../../shared/contract/reasoning.ts";
import { ManualTimers } from "../testing/manual-timers.ts";
import { aborted, ask, call, ScriptedModel, say } from "../testing/scripted-model.ts";
import { names, type TestTeam, testTeam } from "../testing/test-team.ts";

/** Ann, who never stops talking, and bob, who may interrupt her reasoning. */
async function talking(capability: Partial<Capability> = {}) {
  const timers = new ManualTimers();
  const fixture = testTeam({
    speakers: { ann: (_, signal) => aborted(signal).then(() => ""), ...names("bob") },
    participants: [
      { name: "ann" },
      { name: "bob", capabilities: [{ kind: "reasoning/interrupt", to: "*", ...capability }] },
    ],
    timers,
    graceMs: 1,
  });
  const started = fixture.next("reasoning/start");
  const run = fixture.team.run("t");
  const event = await started;
  const turn = event.type === "reasoning/start" ? event.id : "";
  const interrupt = (from: string): Promise<ReasoningAck> =>
    fixture.team.interruptReasoning({
      from,
      to: ["ann"],
      correlation_id: [turn],
      payload: { reason: "redirect", message: "left" },
    });
  const statuses = async (from: string, count: number): Promise<string[]> => {
    const acks: string[] = [];
    for (let nth = 0; nth < count; nth++) acks.push((await interrupt(from)).payload.status);
    return acks;
  };
  return { fixture, timers, interrupt, statuses, end: () => fixture.team.interrupt().then(() => run) };
}

const asked = (count: number): string[] => Array<string>(count).fill("completing_thought");
const ignored = (count: number): string[] => Array<string>(count).fill("ignored");

test("a participant interrupts reasoning at most six times in a minute; what is more is ignored, and an event says so", async () => {
  const { fixture, timers, interrupt, statuses, end } = await talking();

  assert.deepEqual(await statuses("bob", 8), [...asked(6), ...ignored(2)]);
  const { payload } = await interrupt("bob");
  assert.deepEqual(payload, {
    status: "ignored",
    limited: true,
    message:
      "bob has interrupted reasoning 6 times in the last minute, the most that its capability allows; wait, or raise its maxPerMinute in the team file.",
  });
  const last = fixture.events.findLast((event) => event.type === "reasoning/interrupt-ack");
  assert.deepEqual(last?.type === "reasoning/interrupt-ack" && last.payload, payload);

  timers.advance(59_999);
  assert.deepEqual(await statuses("bob", 1), ["ignored"]);
  timers.advance(1);
  assert.deepEqual(await statuses("bob", 7), [...asked(6), "ignored"]);
  await end();
});

test("the limit is the capability's `maxPerMinute`", async () => {
  const { statuses, end } = await talking({ maxPerMinute: 2 });
  assert.deepEqual(await statuses("bob", 3), [...asked(2), "ignored"]);
  await end();
});

test("the limit is not for the user, nor for a participant that interrupts itself", async () => {
  const { statuses, end } = await talking();
  assert.deepEqual(await statuses("user", 20), asked(20));
  assert.deepEqual(await statuses("ann", 20), asked(20));
  await end();
});

test("a watchdog that interrupts every thought does not keep the team from finishing", async () => {
  const interrupt = call("1", "interrupt_reasoning", { participant: "ann", reason: "redirect", message: "left" });
  /** Each of ann's thoughts lasts until bob has tried to interrupt it. */
  const thought = (nth: number) => [
    ...say(`thought ${nth} `),
    {
      type: "wait" as const,
      get until() {
        return fixture.next("reasoning/interrupt-ack");
      },
    },
  ];
  const ann = new ScriptedModel(...Array.from({ length: 8 }, (_, nth) => thought(nth)));
  const bob = new ScriptedModel(...Array.from({ length: 40 }, () => ask(interrupt)), say("I give up."));
  const fixture = testTeam({
    kind: "graph",
    graph: { edges: [] },
    speakers: { ann, bob },
    participants: [
      { name: "ann", model: "ann" },
      {
        name: "bob",
        model: "bob",
        maxToolIterations: 40,
        capabilities: [{ kind: "reasoning/interrupt", to: "ann", maxPerMinute: 3 }],
      },
    ],
    timers: new ManualTimers(),
  });
  const acks = (): TeamEvent[] => fixture.events.filter(({ type }) => type === "reasoning/interrupt-ack");

  const result = await fixture.team.run("t");

  assert.equal(result.status.code, "success");
  assert.ok(ann.requests.length <= 4, `ann was asked ${ann.requests.length} times`);
  assert.ok(acks().length > 3);
  assert.ok(bob.lastItems.some((item) => item.role === "tool" && /too often/.test(String(item.output))));
});

/** A team with ann, and in a nested team cat, which a monitor outside watches. */
async function monitored(monitors: Monitor[]) {
  const fixture = testTeam({
    speakers: { cat: (_, signal) => aborted(signal).then(() => "") },
    participants: [
      {
        name: "lab",
        kind: "team",
        team: { name: "Lab", kind: "roundRobin", participants: [{ name: "cat" }] },
      },
    ],
    monitors,
    graceMs: 1,
  });
  const started = fixture.next("reasoning/start", 2);
  const run = fixture.team.run("t");
  await started;
  return { fixture, run };
}

const interruptBy = ({ team }: TestTeam, from: string, name: string): Promise<ReasoningAck> => {
  const { openTurns = [] } = name === "lab" ? team.state : (team.state.inner?.["lab"] ?? {});
  return team.interruptReasoning({
    from,
    to: [name],
    correlation_id: [openTurns[0]?.id ?? ""],
    payload: { reason: "resource_limit" },
  });
};

test("a monitor outside the team interrupts the reasoning of those that its capability names, also in a nested team", async () => {
  for (const name of ["lab", "cat"]) {
    const { fixture, run } = await monitored([
      { name: "resource-monitor", capabilities: [{ kind: "reasoning/interrupt", to: "lab" }] },
    ]);
    const ack = await interruptBy(fixture, "resource-monitor", name);
    assert.equal(ack.payload.status, "stopping");
    await fixture.team.interrupt();
    assert.equal((await run).stopReason, "USER_INTERRUPT");
    assert.equal(fixture.team.state.participants.length, 1);
  }
});

test("a monitor without the capability, and one that the team does not name, are ignored", async () => {
  const { fixture, run } = await monitored([
    { name: "resource-monitor", capabilities: [{ kind: "reasoning/interrupt", to: "zoe" }] },
  ]);
  const lacking = await interruptBy(fixture, "resource-monitor", "lab");
  const unknown = await interruptBy(fixture, "stranger", "lab");
  assert.deepEqual([lacking.payload.status, unknown.payload.status], ["ignored", "ignored"]);
  assert.match(lacking.payload.message ?? "", /lacks the capability/);
  assert.match(unknown.payload.message ?? "", /There is no participant or monitor "stranger"/);
  await fixture.team.interrupt();
  await run;
});

test("a monitor has the same limit", async () => {
  const { fixture, run } = await monitored([
    { name: "resource-monitor", capabilities: [{ kind: "reasoning/interrupt", to: "*", maxPerMinute: 1 }] },
  ]);
  const acks = [
    await interruptBy(fixture, "resource-monitor", "lab"),
    await interruptBy(fixture, "resource-monitor", "lab"),
  ];
  assert.deepEqual(
    acks.map(({ payload }) => [payload.status, payload.limited]),
    [
      ["stopping", undefined],
      ["ignored", true],
    ],
  );
  await fixture.team.interrupt();
  await run;
});
